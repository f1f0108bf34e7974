import type { Dialect, ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely, RawBuilder, SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { PostRow } from '../store/rows.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { Walk } from './borders.ts'
import { behindBorder, fromBorder, plannedFor } from './borders.ts'
import type { OrderName } from './order.ts'
import { orders } from './order.ts'
import { countOfGroup, pageOfGroup } from './select-group.ts'

export interface Selection {
  order: OrderName
  page: number
  size: number
  inDays?: number | undefined
  authorId?: number | undefined
  /** Sub-queries of ids that narrow the list, with a text that names them for the cache of counts. */
  filters?: { ids: Narrowing[]; key: string } | undefined
  /** Conditions on columns of the post; `filters.key` names them too. */
  conditions?: RawBuilder<boolean>[] | undefined
  /** Rows before the first one, where pages are not all of one list; default: those of the pages before. */
  offset?: number | undefined
}

/** `postGroup`: what `inGroup` says of it. */
export type Narrowing = RawBuilder<number> & { postGroup?: string }

interface Bounds {
  tier: 'tier' | 'open_tier'
  createdAfter: number
  activeAfter: number
  authorId: number | undefined
  ids: Narrowing[]
  conditions: RawBuilder<boolean>[]
}

/** Counts of narrowed lists per database; valid for some seconds (windows move) and, on a small site, while nothing is written. */
const counts = new WeakMap<object, Map<string, { version: number; until: number; count: number }>>()
const KEPT_SECONDS = 10
/** With so many posts counting takes longer than the page: then a count is kept for a second per ten thousand posts, whatever is written. */
const LARGE = 10_000
/** Posts whose filters are asked while walking along an index, in the time that one post takes to be fetched and sorted (measured at a million). */
const PROBES_PER_FETCH = 10

const counters = statement((db: Kysely<Tables>, _: Record<never, never>) =>
  db.selectFrom('experiences__counter').select(['listed', 'open', 'version']).where('id', '=', 1),
)

/** A page of an order that nothing but windows of time narrows, which is what nearly every list asks for: from the beginning, or from a border. */
const walks = new Map<string, ReturnType<typeof walkOf>>()

function walk(...form: Parameters<typeof walkOf>): ReturnType<typeof walkOf> {
  const key = form.join(' ')
  let found = walks.get(key)
  if (!found) {
    found = walkOf(...form)
    walks.set(key, found)
  }
  return found
}

/** From so many rows on that are passed over, PostgreSQL reads their numbers from the index alone, and then the rows of the page: it would fetch them all. */
const FAR = 100

const walkOf = (dialect: Dialect, name: OrderName, createdAfter: boolean, activeAfter: boolean, isBordered: boolean, isFar: boolean) =>
  statement((db: Kysely<Tables>, given: Walk) => {
    const { tier, by } = orders[name]
    const posts = db.selectFrom('experiences__post')
    const pageOf = <O>(from: SelectQueryBuilder<Tables, 'experiences__post', O>) => {
      let query = from.where(tier, '>=', 1)
      if (isBordered) query = query.where(behindBorder([tier, ...by, 'id'], given))
      // The plus signs keep these columns' own indexes out of it.
      if (createdAfter) query = query.where(sql<number>`+created_at`, '>', given.createdAfter)
      if (activeAfter) query = query.where(sql<number>`+active_at`, '>', given.activeAfter)
      return ordered(query, name).limit(given.size).offset(given.offset)
    }
    const page = isFar
      ? ordered(posts.select(postColumns).where(sql<boolean>`id = any(array(${pageOf(posts.select('id'))}))`), name)
      : pageOf(posts.select(postColumns))
    return plannedFor(dialect, isBordered, page, db)
  })

/** The page that begins after `offset` rows of a list that only windows narrow. */
const pageOfAll = (
  ctx: ReadContext<Tables>,
  order: OrderName,
  { createdAfter, activeAfter }: Bounds,
  page: { size: number; offset: number },
) =>
  fromBorder(ctx, { name: order, order, createdAfter, activeAfter }, page, (given, isBordered) =>
    walk(
      ctx.dialect,
      order,
      createdAfter > 0,
      activeAfter > 0,
      isBordered,
      ctx.dialect === 'postgres' && given.offset >= FAR,
    )(ctx.db, given),
  )

/** Pinned ones first, the newest number last. */
// biome-ignore lint/suspicious/noExplicitAny: of whatever was selected
function ordered<O>(query: SelectQueryBuilder<Tables, any, O>, name: OrderName) {
  const { tier, by } = orders[name]
  let sorted = query.orderBy(tier, 'desc')
  for (const column of by) sorted = sorted.orderBy(column, 'desc')
  return sorted.orderBy('id', 'desc')
}

/**
 * A page of public posts and how many there are. At most three statements: one of them only after something was written, another only when the list
 * is narrowed and nobody counted it yet.
 */
export async function selectPage(ctx: ReadContext<Tables>, selection: Selection): Promise<{ count: number; rows: PostRow[] }> {
  const order = orders[selection.order]
  // To the minute: within one, a list that a window narrows is the same list, and what is known of it stays.
  const days = (value: number | undefined) => (value ? ctx.now - (ctx.now % 60) - value * 86_400 : 0)
  const bounds: Bounds = {
    tier: order.tier,
    createdAfter: days(selection.inDays ?? order.createdDays),
    activeAfter: days(order.activeDays),
    authorId: selection.authorId,
    ids: selection.filters?.ids ?? [],
    conditions: selection.conditions ?? [],
  }
  const counter = await counterOf(ctx)
  const all = bounds.tier === 'tier' ? counter.listed : counter.open
  const isNarrow =
    bounds.createdAfter > 0 || bounds.activeAfter > 0 || bounds.authorId !== undefined || bounds.ids.length + bounds.conditions.length > 0
  const isGroup = bounds.ids.length === 1 && bounds.authorId === undefined && bounds.conditions.length === 0
  const group = isGroup ? bounds.ids[0]?.postGroup : undefined
  const key = `${selection.order}|${selection.inDays ?? ''}|${selection.authorId ?? ''}|${selection.filters?.key ?? ''}`
  const count = isNarrow ? await cachedCount(ctx, key, { version: counter.version, all }, () => countOf(ctx, bounds, group)) : all
  const offset = selection.offset ?? (selection.page - 1) * selection.size
  if (offset >= count) return { count, rows: [] }

  if (group !== undefined) return { count, rows: await pageOfGroup(ctx, group, selection.order, bounds, { size: selection.size, offset }) }

  // Walking along the order and testing each row is cheap when many match; collecting the matches first is cheap when few do.
  const gain = bounds.authorId === undefined ? PROBES_PER_FETCH : 1
  const isDense = count * count * gain > (offset + selection.size) * all
  if (bounds.authorId === undefined && bounds.ids.length + bounds.conditions.length === 0 && (isDense || !isNarrow)) {
    return { count, rows: await pageOfAll(ctx, selection.order, bounds, { size: selection.size, offset }) }
  }
  let query = ctx.db.selectFrom('experiences__post').select(postColumns)
  if (isDense) {
    query = query.where(bounds.tier, '>=', 1)
    if (bounds.createdAfter > 0) query = query.where(sql<number>`+created_at`, '>', bounds.createdAfter)
    if (bounds.activeAfter > 0) query = query.where(sql<number>`+active_at`, '>', bounds.activeAfter)
    if (bounds.authorId !== undefined) query = query.where(sql<number>`+author_id`, '=', bounds.authorId)
    for (const condition of bounds.conditions) query = query.where(condition)
    for (const ids of bounds.ids) {
      query = query.where(sql<boolean>`exists (with narrow(id) as (${ids}) select 1 from narrow where narrow.id = experiences__post.id)`)
    }
  } else
    query = query.where('id', 'in', (matching) =>
      matching
        .selectFrom('experiences__post')
        .select('id')
        .where((eb) => narrowed(eb, bounds)),
    )
  const rows = await ordered(query, selection.order).limit(selection.size).offset(offset).execute()
  return { count, rows }
}

async function counterOf(ctx: ReadContext<Tables>) {
  const counter = await ctx.remember('experiences.counter', async () => (await counters(ctx.db, {}))[0])
  if (!counter) throw new Error('experiences__counter has no row')
  return counter
}

/** Whether a list may say for a minute what it said: posts are so many that one changes little, and to look costs. */
export const isLarge = async (ctx: ReadContext<Tables>): Promise<boolean> => (await counterOf(ctx)).listed >= LARGE

async function cachedCount(
  ctx: ReadContext<Tables>,
  key: string,
  { version, all }: { version: number; all: number },
  ask: () => Promise<number>,
): Promise<number> {
  const cache = counts.get(ctx.db) ?? new Map<string, { version: number; until: number; count: number }>()
  counts.set(ctx.db, cache)
  const known = cache.get(key)
  if (known && ctx.now < known.until && (known.version === version || all >= LARGE)) return known.count
  const count = await ask()
  if (cache.size > 2000) cache.clear()
  cache.set(key, { version, until: ctx.now + Math.max(KEPT_SECONDS, all / LARGE), count })
  return count
}

async function countOf({ db }: ReadContext<Tables>, bounds: Bounds, group: string | undefined): Promise<number> {
  if (group !== undefined) return countOfGroup(db, group, bounds)
  const { tier, createdAfter, activeAfter, authorId, ids, conditions } = bounds
  // Filters give listed posts only, so one alone needs no look at the posts.
  if (ids.length === 1 && tier === 'tier' && createdAfter + activeAfter === 0 && authorId === undefined && conditions.length === 0) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (${ids[0]}) as narrow`.execute(db)
    return Number(rows[0]?.count)
  }
  const { count } = await db
    .selectFrom('experiences__post')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => narrowed(eb, bounds))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** `tier in (1, 2)` instead of `tier >= 1`: two seeks, so that the next column bounds the walk too. */
// biome-ignore lint/suspicious/noExplicitAny: an expression builder over the post table
function narrowed(eb: any, bounds: Bounds) {
  return eb.and([
    eb(bounds.tier, 'in', [1, 2]),
    ...(bounds.createdAfter > 0 ? [eb('created_at', '>', bounds.createdAfter)] : []),
    ...(bounds.activeAfter > 0 ? [eb('active_at', '>', bounds.activeAfter)] : []),
    ...(bounds.authorId === undefined ? [] : [eb('author_id', '=', bounds.authorId)]),
    ...bounds.ids.map((ids) => sql<boolean>`id in (${ids})`),
    ...bounds.conditions,
  ])
}
