import type { Page } from '@stoa/sdk'
import { CodedError, rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'
import { personByUsername } from '../../../accounts/shared/api.ts'
import type { ExperienceListItem } from '../../shared/api.ts'
import { experienceErrors, experienceFilter, isListed } from '../../shared/api.ts'
import type { Alike, LinkedQuery, ListQuery, Related } from '../read-tokens.ts'
import { postIds, postNumber } from '../store/public-id.ts'
import type { PostRow, PostTitle } from '../store/rows.ts'
import { postColumns, postRow, postRows, postTitles } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { mayView } from '../store/visibility.ts'
import { listItems } from './list-item.ts'
import { orders } from './order.ts'
import { likeliest } from './read-similar.ts'
import type { Narrowing, Selection } from './select-page.ts'
import { isLarge, selectPage } from './select-page.ts'

/** Behind the last page of a public list clients of the protocol expect a 404. */
export const pastEnd = () => new CodedError('base.request_format_error', { status: 404, message: 'There is no such page' })

/** `experience/page`. */
export async function listPage(ctx: ReadContext<Tables>, query: ListQuery): Promise<Page<ExperienceListItem>> {
  const order = query.order ?? 'newest'
  const selection: Selection = { order, page: query.page, size: rowsOfPage(query).size, inDays: query.in_days }
  if (query.username) {
    const author = await ctx.call(personByUsername, { username: query.username })
    if (!author) return { count: 0, list: [] }
    selection.authorId = author.id
  }
  if (query.tag) {
    const ids = await ctx.filters(experienceFilter, { tag: query.tag })
    if (ids.length === 0) return { count: 0, list: [] }
    selection.filters = { ids, key: query.tag.toLowerCase() }
  }
  const { count, rows } = await selectPage(ctx, selection)
  if (rows.length === 0 && count > 0) throw pastEnd()
  return { count, list: await listItems(ctx, rows, order === 'active') }
}

const MOST_RELATED = 6
/** Of them, alike by their words: a tag says more of posts whose titles say little. */
const MOST_ALIKE = 4

/** `experience/similar/tag`: the hottest of those that some plugin finds alike (by their first tag), at most six; `list` null without any. */
export async function relatedPage(ctx: ReadContext<Tables>, query: { experience_id: string }): Promise<Related> {
  const post = await viewable(ctx, query.experience_id)
  const tagged = (await hotLike(ctx, post.id)).filter(({ id }) => id !== post.id)
  const list = await listItems(ctx, tagged.slice(0, MOST_RELATED))
  return list.length === 0 ? { count: 0, list: null } : { count: list.length, list }
}

/** `experience/alike`: of `ns` those whose titles share enough words, then as many of {@link relatedPage} as there is room for. */
export async function alikePosts(ctx: ReadContext<Tables>, query: { experience_id: string; ns: number[] }): Promise<Alike> {
  const n = postNumber(ctx.ids, query.experience_id)
  const hot = n === undefined ? [] : await hotNumbers(ctx, n)
  const rowOf = new Map((await postTitles(ctx.db, n === undefined ? [] : [n, ...query.ns, ...hot])).map((row) => [row.id, row]))
  const post = checked(ctx, query.experience_id, n === undefined ? undefined : rowOf.get(n))
  rowOf.delete(post.id)
  const listed = (ns: readonly number[]) => [...new Set(ns)].flatMap((other) => rowOf.get(other) ?? []).filter(isListed)
  const alike = likeliest(post.title, listed(query.ns)).slice(0, MOST_ALIKE)
  const tagged = listed(hot).filter((row) => !alike.includes(row))
  const toId = await postIds(ctx)
  const rows = [...alike, ...tagged].slice(0, MOST_RELATED)
  return { list: rows.map(({ id, title, url_title, answer_count }) => ({ id: toId(id), title, url_title, answer_count })) }
}

/** @throws `not_found` for one that the caller may not see, as for none */
async function viewable(ctx: ReadContext<Tables>, id: string): Promise<PostRow> {
  const n = postNumber(ctx.ids, id)
  return checked(ctx, id, n === undefined ? undefined : await postRow(ctx.db, n))
}

function checked<P extends PostTitle>(ctx: ReadContext<Tables>, id: string, post: P | undefined): P {
  if (!post || !mayView(ctx.person, { authorId: post.author_id, status: post.status })) throw experienceErrors.not_found({ id })
  return post
}

/** As many as a related list needs when others come first. */
async function hotLike(ctx: ReadContext<Tables>, id: number): Promise<PostRow[]> {
  const ids: Narrowing[] = await ctx.filters(experienceFilter, { like: id })
  return ids.length === 0 ? [] : await hottest(ctx, ids, groupsOf(ids) ?? `like:${id}`)
}

/** Posts of one group are alike in the same way. @returns undefined for others */
const groupsOf = (ids: Narrowing[]): string | undefined =>
  ids.every(({ postGroup }) => postGroup !== undefined) ? ids.map(({ postGroup }) => postGroup).join('&') : undefined

/** By the database and the group. */
const hottestOf = new WeakMap<object, LRUCache<string, readonly number[]>>()
const MOST_GROUPS = 2_000
const KEPT_MS = 60_000

/** Numbers of {@link hotLike}; of a large site perhaps those of a minute ago, as hot scores are computed every now and then anyway. */
async function hotNumbers(ctx: ReadContext<Tables>, id: number): Promise<readonly number[]> {
  const ids: Narrowing[] = await ctx.filters(experienceFilter, { like: id })
  if (ids.length === 0) return []
  const key = groupsOf(ids)
  const ask = async () => (await hottest(ctx, ids, key ?? `like:${id}`)).map((row) => row.id)
  if (key === undefined || !(await isLarge(ctx))) return await ask()
  const known = hottestOf.get(ctx.db) ?? new LRUCache({ max: MOST_GROUPS, ttl: KEPT_MS })
  hottestOf.set(ctx.db, known)
  const found = known.get(key)
  if (found) return found
  const numbers = await ask()
  known.set(key, numbers)
  return numbers
}

async function hottest(ctx: ReadContext<Tables>, ids: Narrowing[], key: string): Promise<PostRow[]> {
  const { rows } = await selectPage(ctx, { order: 'hot', page: 1, size: MOST_RELATED + MOST_ALIKE + 1, filters: { ids, key } })
  return rows
}

/** `experience/link`: posts that link to this one. */
export async function linkedPage(ctx: ReadContext<Tables>, query: LinkedQuery): Promise<Page<ExperienceListItem>> {
  const post = await viewable(ctx, query.experience_id)
  const { size, offset } = rowsOfPage(query)
  const { tier, by } = orders[query.order ?? 'newest']
  const from = ctx.db
    .selectFrom('experiences__link')
    .innerJoin('experiences__post', 'experiences__post.id', 'experiences__link.from_post')
    .where('experiences__link.to_post', '=', post.id)
    .where(`experiences__post.${tier}`, '>=', 1)
  const { count } = await from.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  let ordered = from.select(postColumns.map((column) => `experiences__post.${column}` as const))
  for (const column of by) ordered = ordered.orderBy(`experiences__post.${column}`, 'desc')
  const rows = await ordered.orderBy('experiences__post.id', 'desc').limit(size).offset(offset).execute()
  return { count: Number(count), list: await listItems(ctx, rows) }
}

/** List items in the order of `ns`; unknown numbers and posts the person may not see are left out. */
export async function itemsOf(ctx: ReadContext<Tables>, { ns }: { ns: number[] }): Promise<ExperienceListItem[]> {
  const visible = (await postRows(ctx.db, ns)).filter((row) => mayView(ctx.person, { authorId: row.author_id, status: row.status }))
  const rows = new Map(visible.map((row) => [row.id, row]))
  return listItems(
    ctx,
    ns.flatMap((n) => rows.get(n) ?? []),
  )
}
