import type { Page } from '@stoa/sdk'
import { isStaff, rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { countedPage, statement } from '@stoa/sdk/server'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { accountErrors, personByUsername } from '../../accounts/shared/api.ts'
import { publicIds } from '../../site/shared/api.ts'
import type { CommentedView, CommentView } from '../shared/api.ts'
import { commentErrors, ownComments } from '../shared/api.ts'
import type { ListParams, PersonalQuery, ProfileComment } from './read-tokens.ts'
import type { CommentRow, Tables } from './tables.ts'
import { commentColumns, commentStatus } from './tables.ts'
import { commentViews } from './views.ts'

/** `person`: who reads; what waits is seen by who wrote it, and `anybodys` by staff: 1 for them. */
export type Reader = { person: number; anybodys: number }
type Object = Reader & { kind: string; n: number }

export const readerOf = ({ person }: ReadContext): Reader => ({ person: person?.id ?? 0, anybodys: Number(isStaff(person)) })

/** Condition of comments that the reader sees. */
export const seenBy =
  ({ person, anybodys }: Reader) =>
  (eb: ExpressionBuilder<Tables, 'comments__comment'>) =>
    eb.or([
      eb('status', '=', commentStatus.available),
      eb.and([eb('status', '=', commentStatus.pending), eb.or([eb('person_id', '=', person), eb(eb.val(anybodys), '=', 1)])]),
    ])

const standing = (db: Kysely<Tables>, { kind, n, ...reader }: Object) =>
  db.selectFrom('comments__comment').where('object_n', '=', n).where('object_kind', '=', kind).where(seenBy(reader))

const countOf = statement((db: Kysely<Tables>, object: Object) => standing(db, object).select((eb) => eb.fn.countAll<number>().as('count')))

type PageOf = Object & { size: number; offset: number }
const pageIn = (order: ListParams['order']) =>
  statement((db: Kysely<Tables>, { size, offset, ...object }: PageOf) => {
    const byVote = order === 'vote' ? standing(db, object).orderBy('vote_count', 'desc') : standing(db, object)
    const ordered = byVote.orderBy('id', order === 'created_at' ? 'desc' : 'asc')
    return ordered.select(commentColumns).limit(size).offset(offset)
  })
const pages = { '': pageIn(''), vote: pageIn('vote'), created_at: pageIn('created_at') }

interface RowsAsked extends Pick<ListParams, 'kind' | 'n' | 'order'> {
  size: number
  offset: number
}

/** Comments of an object the person may see, and how many there are. */
export async function rowsOf(
  ctx: ReadContext<Tables>,
  { kind, n, order, size, offset }: RowsAsked,
): Promise<{ rows: CommentRow[]; count: number }> {
  const object = { kind, n, ...readerOf(ctx) }
  return await countedPage(
    { size, offset },
    () => pages[order](ctx.db, { ...object, size, offset }),
    async () => Number((await countOf(ctx.db, object))[0]?.count ?? 0),
  )
}

/** `comment/page` of an object the person may see. */
export async function commentsOf(ctx: ReadContext<Tables>, params: ListParams): Promise<Page<CommentView>> {
  const { kind, n, wanted } = params
  const { rows, count } = await rowsOf(ctx, { ...params, ...rowsOfPage(params) })
  if (count === 0) return { count, list: [] }
  if (wanted && !rows.some((row) => row.id === wanted)) {
    rows.push(
      ...(await standing(ctx.db, { kind, n, ...readerOf(ctx) })
        .select(commentColumns)
        .where('id', '=', wanted)
        .execute()),
    )
  }
  return { count, list: await commentViews(ctx, rows) }
}

/** A comment that was just written. */
export async function writtenView(ctx: ReadContext<Tables>, { n }: { n: number }): Promise<CommentView> {
  const rows = await ctx.db.selectFrom('comments__comment').select(commentColumns).where('id', '=', n).execute()
  const [view] = await commentViews(ctx, rows)
  if (!view) throw commentErrors.not_found({ id: n })
  return view
}

const neutral: CommentedView = { experience_id: '', answer_id: '', title: '', url_title: '' }

/** `personal/comment/page`: what everybody can see, newest first. */
export async function commentsOfPerson(ctx: ReadContext<Tables>, query: PersonalQuery): Promise<Page<ProfileComment>> {
  const found = await ctx.read(personByUsername, { username: query.username }, { otherwise: null })
  if (!found) throw accountErrors.not_found({ id: query.username })
  const own = ctx.db
    .selectFrom('comments__comment')
    .where('person_id', '=', found.id)
    .where('status', '=', commentStatus.available)
    .where('object_shown', '=', 1)
  const { size, offset } = rowsOfPage(query)
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await own.select(commentColumns).orderBy('id', 'desc').limit(size).offset(offset).execute()
  const items = rows.map((row) => ({ row, kind: row.object_kind, n: row.object_n, experience: row.experience, view: { ...neutral } }))
  await ctx.decorate(ownComments, items)
  const toId = await publicIds(ctx)
  const list = items.map(
    ({ row, kind, n, view }): ProfileComment => ({
      comment_id: ctx.ids.encode('comment', row.id),
      created_at: row.created_at,
      object_id: toId(kind, n),
      object_type: kind,
      content: row.parsed_text,
      ...view,
    }),
  )
  return { count: Number(count), list }
}

/** Ids and title of what a comment stands below. */
export async function placeOf(ctx: ReadContext<Tables>, place: { kind: string; n: number; experience: number }): Promise<CommentedView> {
  const item = { ...place, view: { ...neutral } }
  await ctx.decorate(ownComments, [item])
  return item.view
}
