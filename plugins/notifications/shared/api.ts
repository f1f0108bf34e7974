import { call, decorator, defineErrors, live, service, services } from '@stoa/sdk'
import type { Frequency } from './kinds.ts'
import type * as schemas from './schemas.ts'

export * from './kinds.ts'
export * from './slots.ts'

/** Names an object of any kind; `n` is its running number. */
export interface ObjectName {
  kind: string
  n: number
}

/** A badge somebody was given: shown once, in a dialog, until its notice is read. */
export interface Award {
  badgeId: string
  /** Key in the `server` branch, or the name itself. */
  name: string
  icon: string
  level: number
}

/** What happened, for whom. */
export interface Notice {
  /** Name of a {@link NoticeKind}. Nothing is sent while no active plugin contributes it. */
  kind: string
  /** Ids of the people it is for, at most 1000; more in several calls. */
  to: readonly number[]
  /** Who did it; left out where that is not to be known. */
  actorId?: number
  /**
   * Names what happened: of one kind with one key somebody is told once, however often it is said. Such as the running number of the answer; with the
   * voter's id for a vote. At most 200 characters.
   */
  key: string
  /** What it is about; its owner fills {@link noticeObjects}. */
  object: ObjectName
  /** What notices of the kind are gathered by, where it is not the object itself: the post, for answers. */
  under?: ObjectName
  /** For the text of the kind; at most 2,000 characters as JSON. */
  values?: Record<string, string | number>
  /** Reputation, for achievements. */
  amount?: number
  award?: Award
}

export interface Notices {
  /**
   * Tells people, in the caller's transaction or one of its own: best in the handler of an event, where it is repeated until it is done. Nobody is told
   * of an own act, of the same thing twice, of an object they may not see, or when they are not an active member.
   * @throws when the kind's object or key is malformed; an unknown kind is passed over
   */
  tell(notice: Notice): Promise<void>
  /**
   * Tells everybody who has chosen the kind for one of their channels, some at a time, in a job: for kinds that stand in no list, which nobody gets
   * unasked.
   */
  announce(notice: Omit<Notice, 'to'>): Promise<void>
  /** Of these notices, by id, those that nobody has read: a channel that waited asks before it sends. */
  unread(ids: readonly number[]): Promise<number[]>
  /** In the transaction in which something begins to wait for people whose rights alone say so, see {@link waitingReviews}. */
  reviewsChanged(): Promise<void>
}
export const notices = service<Notices>('notifications.notices')

/** What a list, a dialog or a mail shows of an object. */
export interface NoticeObject {
  /** Public id, as the site's addresses have it. */
  id: string
  /** The protocol's word for its kind, such as `answer` or `badge_award`. */
  type: string
  title: string
  /** The beginning of its text without marks, at most 240 characters, or empty. */
  excerpt: string
  /** In this site: `/experiences/…`. */
  path: string
  /** Public ids of what it belongs to, as the protocol names them: `experience`, `answer`, `comment`; `badge_id`. */
  map: Record<string, string>
  authorId: number
  /** Everybody who may read the site sees it, in lists too. What is deleted, unlisted or waiting is named to its author alone. */
  isShown: boolean
}
/**
 * Filled by the owner of each kind, whoever asks: `null` for what is gone. What nobody fills, because its owner is off, is shown by the title it had
 * when it was sent, without a link.
 */
export const noticeObjects = decorator<ObjectName & { view?: NoticeObject | null }>('notifications.objects')

/**
 * What waits for review by the person who asks: added to by whoever keeps such a queue. `may`: there may be something for them. Who may have nothing is
 * not asked again until {@link Notices}`.reviewsChanged` or something happens for them, for five minutes at most.
 */
export const waitingReviews = decorator<{ open: number; may: boolean }>('notifications.reviews')

/** One thing that a channel brings. */
export interface ChannelItem {
  /** Of the notice, for {@link Notices}`.unread`; 0 for a kind that stands in no list. */
  id: number
  kind: string
  /** What happened in one line, in the receiver's language: “Ana answered your post”. */
  title: string
  /** What it is about, such as the title of the post. */
  about: string
  /** The beginning of the text, without marks; may be empty. */
  summary: string
  /** Absolute address. */
  url: string
  /** Unix seconds. */
  at: number
}

/** What a channel is to bring to one person: one thing, or what has gathered. */
export interface ChannelMessage {
  /** Names the message: a second one with it is the same. At most 100 characters. */
  key: string
  personId: number
  /** `zh_CN`, `en_US`, …: of the receiver. */
  language: string
  /** `immediately`: one item; `daily` and `weekly`: what has gathered, newest first, at most 50. */
  frequency: Exclude<Frequency, 'off'>
  items: ChannelItem[]
  /** How many more there were than fit into `items`. */
  more: number
  /** Page that ends just these: the kind of the item, or all that come at this frequency. Absolute, works without a session. */
  unsubscribeUrl: string
}

/** A way to people outside of the site, such as mail. Each channel plugin provides one. */
export interface Channel {
  /** The protocol's and the settings' name of it, such as `email`: letters and hyphens, at most 30. Stored. */
  key: string
  /** Key of its name in the `server` branch, for the settings. */
  label: string
  /** Whether it has an address of that person now; what it has not is not sent. Default: it has. */
  reaches?(personId: number): Promise<boolean>
  /** Why it does not reach that person, where they can do something about it: a key in the `server` branch. Shown in their settings. */
  trouble?(personId: number): Promise<{ text: string; params?: Record<string, string> } | undefined>
  /** They have done something about it, or say so: it is to be tried again. */
  retry?(personId: number): Promise<void>
  /**
   * Takes a message, in the transaction that takes it off the list of what is to be sent: put it into a job of your own there (`ctx.jobs.enqueue`), so
   * that it is neither lost nor sent twice. What throws is tried again later. Was asked whether it is unread just before; ask again
   * ({@link Notices}`.unread`) if it waits with you.
   */
  take(message: ChannelMessage): Promise<void>
}
export const channels = services<Channel>('notifications.channels')

/** Who does not want to hear of some people; any plugin may provide one. */
export interface NoticeFilter {
  /** Of these people, those who are not to be told of anything that `actorId` does. In the transaction in which they would be told. */
  refusing(actorId: number, personIds: readonly number[]): Promise<readonly number[]>
}
export const noticeFilters = services<NoticeFilter>('notifications.filters')

export const noticeLive = {
  /** Somebody's red dots are others than before; the topic is their public id. */
  status: live<{ inbox: number; achievement: number }>('notifications.status'),
  /** Something waits for people for whom nothing did; the topic is empty, and no tab listens. */
  reviews: live<Record<string, never>>('notifications.reviews'),
}

export const noticeCalls = {
  page: call.get<typeof schemas.page>('notification/page'),
  status: call.get<typeof schemas.status>('notification/status'),
  clearStatus: call.put<typeof schemas.clearStatus>('notification/status'),
  readOne: call.put<typeof schemas.readOne>('notification/read/state'),
  readAll: call.put<typeof schemas.readAll>('notification/read/state/all'),
  config: call.get<typeof schemas.config>('user/notification/config'),
  /** Has a channel tried again that did not reach the caller. */
  retryChannel: call.post<typeof schemas.retryChannel>('user/notification/channel/retry'),
  saveConfig: call.put<typeof schemas.saveConfig>('user/notification/config'),
  unsubscribe: call.put<typeof schemas.unsubscribe>('user/notification/unsubscribe'),
  /** By a mail program, at the address of the page: one press, no question (RFC 8058). */
  unsubscribeByProgram: call.post<typeof schemas.unsubscribeByProgram>('/users/unsubscribe'),
}

export const noticeErrors = {
  ...defineErrors('error.notification', {
    not_found: { status: 404, message: 'No notification {id} of the caller', display: 'toast' },
  }),
  ...defineErrors('error.email', {
    verify_url_expired: { status: 403, message: 'The link was not made by this site, or ended nothing' },
  }),
}
