import type { Extensions } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

export type TagView = Static<typeof schemas.tag>

export interface TagChoice {
  slug_name: string
  display_name?: string
  original_text?: string
}
/** What is about to be stored. */
export interface PostDraft {
  /** Running number when an existing post is edited. */
  n?: number
  title: string
  content: string
  /** Null when the request left tags out. */
  tags: TagChoice[] | null
  /** Values of other plugins: as they were sent until they are checked, then what is to be stored. Absent where nobody speaks of them. */
  extensions?: Extensions | undefined
}
