import type { TextChange } from '../../history/shared/api.ts'
import type { TagRow } from './tag-rows.ts'

/** A tag as history names it. */
export const tagNamed = (n: number) => ({ kind: 'tag', n, root: { kind: 'tag', n } })

/** What history is told of a change, beside the texts. */
export const changeOf = (row: Pick<TagRow, 'id' | 'author_id' | 'created_at'>, editorId: number, summary: string) =>
  ({ ...tagNamed(row.id), editorId, summary, origin: { personId: row.author_id, at: row.created_at } }) satisfies Partial<TextChange>

/** A text of a tag as history keeps it. */
export const textOf = (row: Pick<TagRow, 'display_name' | 'original_text' | 'slug'>) => ({
  title: row.display_name,
  content: row.original_text,
  tags: [],
  slug_name: row.slug,
})
