import type { ColumnType, Generated } from 'kysely'
import type { PostAct } from '../../shared/api.ts'

type Count = Generated<number>

export interface PostTable {
  id: Generated<number>
  author_id: number
  /** 1 available, 2 closed, 10 deleted, 11 pending. */
  status: Count
  /** 1 listed, 2 unlisted. */
  show: Count
  /** 1 no, 2 pinned. */
  pin: Count
  created_at: number
  /** Last edit or answer. */
  active_at: number
  edited_at: Count
  editor_id: Count
  answered_at: Count
  answerer_id: Count
  last_answer: Count
  accepted_answer: Count
  vote_count: Count
  answer_count: Count
  /** Sum of the votes of its answers. */
  answer_votes: Count
  view_count: Count
  collection_count: Count
  follow_count: Count
  /** Posts that link to this one. */
  linked_count: Count
  hot_score: Count
  /** Computed: 0 in no public list, 1 listed, 2 listed and pinned. */
  tier: ColumnType<number, never, never>
  /** The same for posts that wait for an answer. */
  open_tier: ColumnType<number, never, never>
  title: string
  url_title: string
  excerpt: string
}

export interface BodyTable {
  post_id: number
  close_type: Count
  closed_at: Count
  close_message: Generated<string>
  content: string
  html: string
  /** Grows with each change of title, text or tags. */
  version: Count
  /** JSON: slug of a plugin → its value. */
  extensions: Generated<string>
}

/** A post in a list that is narrowed, with a copy of what lists sort by. */
export interface GroupTable {
  /** Kind and number: `tag:12`. */
  name: string
  post_id: number
  tier: number
  open_tier: number
  created_at: number
  active_at: number
  hot_score: number
  vote_count: number
  view_count: number
  linked_count: number
}

/** The last act on one side of a post's state. */
export interface ActTable {
  post_id: number
  side: 'closing' | 'deletion' | 'listing' | 'pinning'
  act: PostAct
  /** 0 for the site itself. */
  person_id: number
  /** 1 when it was not the author. */
  by_staff: number
  at: number
}

export interface Tables {
  experiences__post: PostTable
  experiences__act: ActTable
  experiences__group: GroupTable
  experiences__body: BodyTable
  /** When members opened which posts last, so many each. */
  experiences__opened: { person_id: number; post_id: number; at: number }
  /** Views that `view_count` does not have yet. */
  experiences__view: { post_id: number; n: number }
  /** Each pair of posts once, however many texts below the first name the second. */
  experiences__link: { from_post: number; to_post: number }
  experiences__link_source: { from_post: number; source: string; to_post: number }
  /** One row: sizes of the public lists; `version` grows with every change, so that caches of counts know. */
  experiences__counter: { id: number; listed: number; open: number; version: number }
}
