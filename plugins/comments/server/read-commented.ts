import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { Commented } from '../shared/api.ts'
import { FIRST_COMMENTS } from '../shared/api.ts'
import type { Reader } from './read-comments.ts'
import { readerOf, rowsOf, seenBy } from './read-comments.ts'
import type { CommentRow, Tables } from './tables.ts'
import { commentColumns } from './tables.ts'
import { commentViews } from './views.ts'

type Asked = Reader & { kind: string; ns: readonly number[] }

const below = (db: Kysely<Tables>, { kind, ns, ...reader }: Asked) =>
  db.selectFrom('comments__comment').where('object_n', 'in', ns).where('object_kind', '=', kind).where(seenBy(reader))

/** For one object this ends with its first comment. */
const commentedOf = statement((db: Kysely<Tables>, { most, ...asked }: Asked & { most: number }) =>
  below(db, asked).select('object_n').distinct().limit(most),
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

/** All comments of objects that have few. */
const commentsBelow = statement((db: Kysely<Tables>, asked: Asked) => below(db, asked).select(commentColumns).orderBy('id'))

/** Objects with no more are asked for together, those with more one by one: with thousands, only the first are read. */
const FEW = 20

/** Puts the first comments beside objects, for a page that shows them, instead of a call for each. */
export async function fillFirstComments(ctx: ReadContext<Tables>, items: Decorated<Commented>[]): Promise<void> {
  const reader = readerOf(ctx)
  const pages: { view: Commented; rows: CommentRow[]; count: number }[] = []
  for (const [kind, ofKind] of Map.groupBy(items, (item) => item.kind)) {
    const { few = [], many = [] } = Object.groupBy(ofKind, ({ view }) => ((view.comment_count ?? FEW + 1) <= FEW ? 'few' : 'many'))
    const below = few.length > 0 ? await commentsBelow(ctx.db, { kind, ns: few.map(({ n }) => n), ...reader }) : []
    const byObject = Map.groupBy(below, (row) => row.object_n)
    for (const { n, view } of few) {
      const rows = byObject.get(n) ?? []
      pages.push({ view, rows: rows.slice(0, FIRST_COMMENTS), count: rows.length })
    }
    for (const { n, view } of many) pages.push({ view, ...(await rowsOf(ctx, { kind, n, order: '', size: FIRST_COMMENTS, offset: 0 })) })
  }
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
