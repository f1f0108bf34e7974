import { read } from '@stoa/sdk'
import type { TagsQuery } from './read-tags.ts'

/** Reads behind our own routes. What others may call stands in the contract. */
export const reads = {
  page: read<TagsQuery, object>('tags.page'),
  byName: read<{ tags: string }, object[]>('tags.byName'),
  info: read<{ id?: string | undefined; name?: string | undefined }, object>('tags.info'),
  synonyms: read<{ tag_id: string }, object>('tags.synonyms'),
  suggest: read<{ tag: string }, object[]>('tags.suggest'),
}
