import type { Dialect } from '@stoa/sdk/server'
import { forUpdate, statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from './tables.ts'

/** What a group copies of its posts. */
export const placeColumns = [
  'tier',
  'open_tier',
  'created_at',
  'active_at',
  'hot_score',
  'vote_count',
  'view_count',
  'linked_count',
] as const
type Column = (typeof placeColumns)[number]
export type Place = Record<Column, number>

/** Rows of one statement; SQLite takes 32,766 values. */
const AT_ONCE = 1000
/** Fewer rows are stored one by one, in a statement that is kept. */
const FEW = 10

const membersOf = statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
  db.selectFrom('experiences__group').select(['post_id', 'name']).where('post_id', 'in', ns),
)

/** Copied from the post's row. PostgreSQL holds it, so that no other writer changes it between; SQLite has one writer. */
const entering = (dialect: Dialect) =>
  statement((db: Kysely<Tables>, { n, name }: { n: number; name: string }) =>
    db
      .insertInto('experiences__group')
      .columns(['name', 'post_id', ...placeColumns])
      .expression(
        db
          .selectFrom('experiences__post')
          .select([sql<string>`${name}`.as('name'), 'id as post_id', ...placeColumns])
          .where('id', '=', n)
          .$call(forUpdate(dialect)),
      ),
  )
const enter = { sqlite: entering('sqlite'), postgres: entering('postgres') }

/** Puts each post into exactly these groups of a kind. @returns whether that changed anything */
export async function groupPosts(
  tx: Kysely<Tables>,
  dialect: Dialect,
  kind: string,
  posts: readonly { n: number; groups: readonly number[] }[],
): Promise<boolean> {
  let isChanged = false
  for (let at = 0; at < posts.length; at += AT_ONCE) {
    if (await groupSome(tx, dialect, kind, posts.slice(at, at + AT_ONCE))) isChanged = true
  }
  return isChanged
}

async function groupSome(
  tx: Kysely<Tables>,
  dialect: Dialect,
  kind: string,
  posts: readonly { n: number; groups: readonly number[] }[],
): Promise<boolean> {
  const ns = posts.map(({ n }) => n)
  const wanted = new Map(posts.map(({ n, groups }) => [n, new Set(groups.map((group) => `${kind}:${group}`))]))
  let isChanged = false
  for (const { post_id, name } of await membersOf(tx, { ns })) {
    if (!name.startsWith(`${kind}:`) || wanted.get(post_id)?.delete(name)) continue
    isChanged = true
    await tx.deleteFrom('experiences__group').where('post_id', '=', post_id).where('name', '=', name).execute()
  }
  const missing = ns.filter((n) => wanted.get(n)?.size)
  if (missing.length === 0) return isChanged
  const entries = missing.flatMap((n) => [...(wanted.get(n) ?? [])].map((name) => ({ n, name })))
  if (entries.length < FEW) for (const entry of entries) await enter[dialect](tx, entry)
  else await storeMany(tx, dialect, missing, wanted)
  return true
}

async function storeMany(tx: Kysely<Tables>, dialect: Dialect, ns: number[], wanted: Map<number, Set<string>>): Promise<void> {
  const places = await tx
    .selectFrom('experiences__post')
    .select(['id', ...placeColumns])
    .where('id', 'in', ns)
    .$call(forUpdate(dialect))
    .execute()
  const rows = places.flatMap(({ id: post_id, ...place }) => [...(wanted.get(post_id) ?? [])].map((name) => ({ name, post_id, ...place })))
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await tx
      .insertInto('experiences__group')
      .values(rows.slice(at, at + AT_ONCE))
      .execute()
  }
}

/** The post has another place in lists. */
export async function movePost(tx: Kysely<Tables>, n: number, before: Place, after: Place): Promise<void> {
  const moved = placeColumns.filter((column) => before[column] !== after[column])
  if (moved.length === 0) return
  await tx
    .updateTable('experiences__group')
    .set(Object.fromEntries(moved.map((column) => [column, after[column]])))
    .where('post_id', '=', n)
    .execute()
}

const copying = (column: Column) =>
  statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
    db
      .updateTable('experiences__group')
      .set({ [column]: sql`(select ${sql.ref(column)} from experiences__post where id = post_id)` })
      .where('post_id', 'in', ns),
  )
const copyings = Object.fromEntries(placeColumns.map((column) => [column, copying(column)])) as Record<Column, ReturnType<typeof copying>>

/** Copies a column of posts that was changed for many at once. */
export async function copyColumn(tx: Kysely<Tables>, column: Column, ns: readonly number[]): Promise<void> {
  if (ns.length > 0) await copyings[column](tx, { ns })
}
