import { slot, slots } from '@stoa/sdk'
import type { TagChoice, TagView } from './api.ts'

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
}

/** Places in the pages of experiences. */
export const experienceSlots = {
  /** Beside the text of a post; a bare count stands there while nobody fills it. */
  vote: slots<PostPlace>('experiences.vote', { was: ['experience.vote'] }),
  /** At the end of a post's line of actions. */
  actions: slots<PostPlace>('experiences.actions', { was: ['experience.actions'] }),
  /** Below the text and the actions of a post. */
  footer: slots<PostPlace>('experiences.footer', { was: ['experience.footer'] }),
  /** Below the post. */
  answers: slots<PostPlace>('experiences.answers', { was: ['experience.answers'] }),
  /** In the form of a post, below its title as it is typed. */
  afterTitle: slots<{ title: string }>('experiences.afterTitle', { was: ['ask.after-title'] }),
  /** In the form of a post: chooses its tags. */
  tags: slot<{ value: TagChoice[]; onChange(tags: TagChoice[]): void; error: string | undefined }>('experiences.tags', {
    was: ['ask.tags'],
  }),
  /** Above the rows of the home page and of the list. */
  listBefore: slots('experiences.listBefore', { was: ['experience.list.before'] }),
  /** Rows of posts on pages of others: experiences fills it, whoever has a list of posts draws it. */
  rows: slot<{ list: readonly PostRow[] }>('experiences.rows', { was: ['experience.rows'] }),
}
