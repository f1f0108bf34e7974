import type { Extensions } from '@stoa/sdk'
import { bag, fields, slot, slots } from '@stoa/sdk'
import type { PostDraft, TagChoice, TagView } from './post.ts'

/** What the page of a post hands to its places. */
export interface PostPlace {
  /** Public id of the post. */
  id: string
  /** Public id of who wrote it. */
  authorId: string
  /** The post as `experience/info` sends it. */
  detail: PlacedPost
  /** Public id of the answer that the address points at, or empty. */
  answerId: string
  /** Asks for the post again. */
  reload(): Promise<void>
}

export interface PlacedPost {
  id: string
  title: string
  url_title: string
  /** Rendered text. */
  html: string
  tags: TagView[]
  status: number
  vote_count: number
  /** `vote_up`, `vote_down` or empty: what the reader gave. */
  vote_status: string
  answer_count: number
  /** The reader has answered. */
  answered: boolean
  /** Public id of the reader's answer, or empty. */
  first_answer_id: string
  operation?: { type: string; level: string }
  /** What the reader may do through other plugins. */
  extends_actions: { action: string }[]
  /** What plugins that are on keep beside the post: `valueIn` of the sdk reads one. */
  extensions?: Extensions
  /** What plugins that are on show with the post, by slug; each says in its contract how it is read. */
  beside?: Record<string, unknown>
}

/** A row of a list of posts, as `experience/page` sends it. */
export interface PostRow {
  id: string
  title: string
  url_title: string
  description: string
  pin: number
  status: number
  tags: TagView[]
  created_at: number
  view_count: number
  vote_count: number
  answer_count: number
  accepted_answer_id: string
  operated_at: number
  operator: { display_name: string; username: string; avatar: string; rank: number; status: string } | null
  operation_type: 'asked' | 'answered' | 'modified'
  /** The reader has opened it, and whether somebody has answered since. Absent for visitors. */
  read_state?: 'read' | 'answered_since' | undefined
}

/** What a row of the admin's list of posts is about. */
export interface AdminPostRow {
  id: string
  title: string
  answer_count: number
  accepted_answer_id: string
}

/** Values of other plugins beside a post: asked for in its form, stored with it, sent with `experience/info`. */
export const postBag = bag<PostDraft>('experiences.post')

/** What the form of a post tells the fields of other plugins. */
export interface PostFormPlace {
  /** As it is typed. */
  title: string
}

/** Places in the pages of experiences. */
export const experienceSlots = {
  /** Beside the text of a post; a bare count stands there while nobody fills it. */
  vote: slots<PostPlace>('experiences.vote', { was: ['experience.vote'] }),
  /** Between the text of a post and its tags. */
  body: slots<PostPlace>('experiences.body'),
  /** Entries of a post's menu, behind its own: `MenuEntry` of the kit. */
  menu: slots<PostPlace>('experiences.menu'),
  /** At the end of a row of a list. Ask for nothing here that each row would ask for by itself. */
  row: slots<{ row: PostRow }>('experiences.row'),
  /** At the end of a post's line of actions. */
  actions: slots<PostPlace>('experiences.actions', { was: ['experience.actions'] }),
  /** Below the text and the actions of a post. */
  footer: slots<PostPlace>('experiences.footer', { was: ['experience.footer'] }),
  /** Below the post. */
  answers: slots<PostPlace>('experiences.answers', { was: ['experience.answers'] }),
  /** In the form of a post, below its title as it is typed. */
  afterTitle: slots<{ title: string }>('experiences.afterTitle', { was: ['ask.after-title'] }),
  /** In the form of a post, above its title. */
  fieldsFirst: fields<PostFormPlace>('experiences.fieldsFirst', postBag),
  /** In the form of a post, between title and text. */
  fieldsAfterTitle: fields<PostFormPlace>('experiences.fieldsAfterTitle', postBag),
  /** In the form of a post, between text and tags. */
  fieldsAfterContent: fields<PostFormPlace>('experiences.fieldsAfterContent', postBag),
  /** In the form of a post, behind everything else. */
  fields: fields<PostFormPlace>('experiences.fields', postBag),
  /** In the form of a post: chooses its tags. */
  tags: slot<{ value: TagChoice[]; onChange(tags: TagChoice[]): void; error: string | undefined }>('experiences.tags', {
    was: ['ask.tags'],
  }),
  /** Above the rows of the home page and of the list. */
  listBefore: slots('experiences.listBefore', { was: ['experience.list.before'] }),
  /**
   * Title and tabs of the list of posts: experiences fills it, a page behind a tab of another plugin draws it above its rows. The tab is a navigation
   * entry with the place `experiences.listTabs`.
   */
  listHead: slot<{ count: number }>('experiences.listHead'),
  /** Small facts in a row of the admin's list of posts. */
  adminFacts: slots<{ row: AdminPostRow }>('experiences.adminFacts'),
  /** Asks why a post is closed: experiences fills it, whoever lets staff close posts elsewhere draws it while it is open. */
  closeDialog: slot<{
    post: { id: string; title: string }
    /** Closes it. A call that is refused shows why at its field. */
    send(closing: { close_type: number; close_msg: string }): Promise<unknown>
    onClose(): void
    onDone(): Promise<void>
  }>('experiences.closeDialog'),
  /** Rows of posts on pages of others: experiences fills it, whoever has a list of posts draws it. */
  rows: slot<{ list: readonly PostRow[] }>('experiences.rows', { was: ['experience.rows'] }),
}
