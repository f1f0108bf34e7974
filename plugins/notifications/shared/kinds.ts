/** The point of `plugin.json` where plugins name their kinds. Who goes takes its kinds along; what was sent keeps the words it was sent with. */
export const kindPoint = 'notifications.kinds'

/** Where a kind stands. */
export type NoticeList = 'inbox' | 'achievement'
/** Part of the inbox. */
export type NoticeTab = 'posts' | 'votes' | 'invites'
/** How soon a channel brings a kind to somebody: at once, gathered once a day or a week, or not at all. */
export const frequencies = ['immediately', 'daily', 'weekly', 'off'] as const
export type Frequency = (typeof frequencies)[number]

/** The settings that the protocol knows; each kind belongs to one. */
export const sources = ['inbox', 'all_new_experience', 'all_new_experience_for_following_tags'] as const
export type Source = (typeof sources)[number]

/**
 * A kind of notice, contributed in `plugin.json` under `notifications.kinds`:
 * `{ "name": "answers.answered", "text": "notification.answered", "list": "inbox", "tab": "posts", "label": "…", "usual": "immediately" }`.
 */
export interface NoticeKind {
  /** Begins with the slug of its plugin, or one of its object kinds, and a dot. Stored: never reused for something else. */
  name: string
  /**
   * Key in the `server` branch: what was done, as it stands behind a name (“answered your post”), and by itself where a notice names nobody. Given
   * `count` (people), `amount` (reputation) and the values of the notice.
   */
  text: string
  /** Left out: it stands in no list and goes through channels only. */
  list?: NoticeList
  /** Of the inbox; left out it stands under “all” only. */
  tab?: NoticeTab
  /**
   * Notices of one kind about one object to one person are one row: `unread` (default) as long as it is not read, with the number of people; `always`
   * for good, without another red dot, and `amount` adds up; `never` each stands by itself.
   */
  gathers?: 'unread' | 'always' | 'never'
  /** Key of its name in the settings. Left out: no channel brings it. */
  label?: string
  /** Default `inbox`. */
  source?: Source
  /** What holds for whoever has chosen nothing; default `off`. */
  usual?: Frequency
  /** Kinds with the same word here are one as to what somebody was told: of something that several of them say, only the first comes. */
  once?: string
}
