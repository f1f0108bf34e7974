import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { Commented } from '../shared/api.ts'
import { FIRST_COMMENTS } from '../shared/api.ts'
import { readerOf, rowsOf, seenBy } from './read-comments.ts'
import type { Tables } from './tables.ts'
import { commentViews } from './views.ts'

type Asked = { kind: string; ns: readonly number[]; person: number; anybodys: number; most: number }

/** For one object this ends with its first comment. */
const commentedOf = statement((db: Kysely<Tables>, { kind, ns, person, anybodys, most }: Asked) =>
  db
    .selectFrom('comments__comment')
    .select('object_n')
    .distinct()
    .where('object_n', 'in', ns)
    .where('object_kind', '=', kind)
    .where(seenBy({ person, anybodys }))
    .limit(most),
)

/** Says beside objects whether the person who asks would see comments below them. One statement for each kind. */
export async function fillCommented(ctx: ReadContext<Tables>, items: Decorated<Commented>[]): Promise<void> {
  const reader = readerOf(ctx)
  for (const [kind, ofKind] of Map.groupBy(items, (item) => item.kind)) {
    const ns = ofKind.map(({ n }) => n)
    const rows = await commentedOf(ctx.db, { kind, ns, ...reader, most: ns.length })
    const commented = new Set(rows.map((row) => row.object_n))
    for (const { n, view } of ofKind) view.beside = { ...view.beside, comments: commented.has(n) }
  }
}

/** Puts the first comments beside objects, for a page that shows them: of all in one go, instead of a call for each. */
export async function fillFirstComments(ctx: ReadContext<Tables>, items: Decorated<Commented>[]): Promise<void> {
  const pages = await Promise.all(
    items.map(async ({ kind, n, view }) => ({ view, ...(await rowsOf(ctx, { kind, n, order: '', size: FIRST_COMMENTS, offset: 0 })) })),
  )
  const views = await commentViews(
    ctx,
    pages.flatMap(({ rows }) => rows),
  )
  let at = 0
  for (const { view, rows, count } of pages) {
    view.beside = { ...view.beside, comments: count > 0 && { count, list: views.slice(at, at + rows.length) } }
    at += rows.length
  }
}
