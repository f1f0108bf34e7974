import type { Dialect } from '@stoa/sdk/server'
import { forUpdate, statement } from '@stoa/sdk/server'
import type { Kysely, Selectable } from 'kysely'
import type { Tables, TagTable } from './tables.ts'

export const tagColumns = [
  'id',
  'slug',
  'display_name',
  'main_id',
  'author_id',
  'status',
  'experience_count',
  'follow_count',
  'version',
  'created_at',
  'updated_at',
  'description',
  'original_text',
  'parsed_text',
] as const satisfies (keyof TagTable)[]
export type TagRow = Pick<Selectable<TagTable>, (typeof tagColumns)[number]>

const bySlug = statement((db: Kysely<Tables>, { slugs }: { slugs: readonly string[] }) =>
  db.selectFrom('tags__tag').select(tagColumns).where('slug', 'in', slugs),
)

/** In the order of their numbers, as every writer holds tags. */
const bySlugInUse = statement((db: Kysely<Tables>, { slugs }: { slugs: readonly string[] }) =>
  db.selectFrom('tags__tag').select(tagColumns).where('slug', 'in', slugs).orderBy('id').forKeyShare(),
)

export async function tagById(db: Kysely<Tables>, id: number): Promise<TagRow | undefined> {
  return db.selectFrom('tags__tag').select(tagColumns).where('id', '=', id).executeTakeFirst()
}

export async function tagsBySlug(db: Kysely<Tables>, slugs: readonly string[]): Promise<Map<string, TagRow>> {
  if (slugs.length === 0) return new Map()
  const rows = await bySlug(db, { slugs })
  return new Map(rows.map((row) => [row.slug, row]))
}

/** Those that a post is about to carry: until the transaction ends nobody deletes, renames or merges them. Others may use and count them. */
export async function tagsInUse(tx: Kysely<Tables>, dialect: Dialect, slugs: readonly string[]): Promise<Map<string, TagRow>> {
  if (dialect === 'sqlite' || slugs.length === 0) return tagsBySlug(tx, slugs)
  const rows = await bySlugInUse(tx, { slugs })
  return new Map(rows.map((row) => [row.slug, row]))
}

/** To select tags that nobody else changes or begins to use until the transaction ends; in the order of their numbers. SQLite has one writer anyway. */
export const heldTags = (tx: Kysely<Tables>, dialect: Dialect) =>
  tx.selectFrom('tags__tag').select(tagColumns).orderBy('id').$call(forUpdate(dialect))

export async function tagsById(db: Kysely<Tables>, ids: readonly number[]): Promise<Map<number, TagRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('tags__tag').select(tagColumns).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
