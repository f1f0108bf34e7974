import { read } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from '../shared/schemas.ts'

export type TagsQuery = Static<typeof schemas.page.query>
export type TagItem = Static<typeof schemas.described>
export type BasicTag = Static<typeof schemas.basic>
export type TagQuery = Static<typeof schemas.info.query>

/** Reads behind our own routes. What others may call stands in the contract. */
export const reads = {
  page: read<TagsQuery, Static<typeof schemas.page.reply>>('tags.page'),
  byName: read<{ tags: string }, BasicTag[]>('tags.byName'),
  following: read<Record<never, never>, Static<typeof schemas.following.reply>>('tags.following'),
  info: read<TagQuery, Static<typeof schemas.info.reply>>('tags.info'),
  synonyms: read<{ tag_id: string }, Static<typeof schemas.synonyms.reply>>('tags.synonyms'),
  suggest: read<{ tag: string }, BasicTag[]>('tags.suggest'),
}
