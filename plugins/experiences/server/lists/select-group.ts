import type { Dialect, ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { PostRow } from '../store/rows.ts'
import { postColumns, postRows } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { Walk } from './borders.ts'
import { behindBorder, fromBorder, plannedFor } from './borders.ts'
import type { OrderName } from './order.ts'
import { orders } from './order.ts'

interface GroupBounds {
  tier: 'tier' | 'open_tier'
  /** Unix seconds, 0 for no bound. */
  createdAfter: number
  activeAfter: number
}

type GroupWalk = Walk & { group: string }
type Form = [name: OrderName, createdAfter: boolean, activeAfter: boolean, isBordered: boolean]

/** Numbers of a page, from an index of the group alone. */
function numbersOf(db: Kysely<Tables>, [name, createdAfter, activeAfter, isBordered]: Form, given: GroupWalk) {
  const { tier, by } = orders[name]
  let numbers = db.selectFrom('experiences__group').select('post_id').where('name', '=', given.group).where(tier, '>=', 1)
  if (isBordered) numbers = numbers.where(behindBorder([tier, ...by, 'post_id'], given))
  // The plus signs keep these columns' own indexes out of it.
  if (createdAfter) numbers = numbers.where(sql<number>`+created_at`, '>', given.createdAfter)
  if (activeAfter) numbers = numbers.where(sql<number>`+active_at`, '>', given.activeAfter)
  numbers = numbers.orderBy(tier, 'desc')
  for (const column of by) numbers = numbers.orderBy(column, 'desc')
  return numbers.orderBy('post_id', 'desc').limit(given.size).offset(given.offset)
}

const numbersWalk = (form: Form) => statement((db: Kysely<Tables>, given: GroupWalk) => numbersOf(db, form, given))

/** SQLite: two statements, as sorting whole rows a second time takes longer than another statement (measured: 108 and 74 µs). */
function inTwo(form: Form) {
  const walk = numbersWalk(form)
  return async (db: Kysely<Tables>, given: GroupWalk): Promise<PostRow[]> => {
    const ns = (await walk(db, given)).map((row) => row.post_id)
    const rows = new Map((await postRows(db, ns)).map((row) => [row.id, row]))
    return ns.flatMap((n) => rows.get(n) ?? [])
  }
}

/** PostgreSQL: one statement, as each is a way to the server and back. */
const inOne = (form: Form) =>
  statement((db: Kysely<Tables>, given: GroupWalk) => {
    const [name, , , isBordered] = form
    const { tier, by } = orders[name]
    let posts = db
      .selectFrom('experiences__post')
      .select(postColumns)
      .where(sql<boolean>`id = any(array(${numbersOf(db, form, given)}))`)
      .orderBy(tier, 'desc')
    for (const column of by) posts = posts.orderBy(column, 'desc')
    return plannedFor('postgres', isBordered, posts.orderBy('id', 'desc'), db)
  })

const walks = new Map<string, (db: Kysely<Tables>, given: GroupWalk) => Promise<PostRow[]>>()

function walkOf(dialect: Dialect, form: Form): (db: Kysely<Tables>, given: GroupWalk) => Promise<PostRow[]> {
  const key = `${dialect} ${form.join(' ')}`
  let walk = walks.get(key)
  if (!walk) {
    walk = dialect === 'sqlite' ? inTwo(form) : inOne(form)
    walks.set(key, walk)
  }
  return walk
}

/** A page of a group in one of the orders. */
export function pageOfGroup(
  ctx: ReadContext<Tables>,
  group: string,
  order: OrderName,
  { createdAfter, activeAfter }: GroupBounds,
  page: { size: number; offset: number },
): Promise<PostRow[]> {
  const list = { name: `${group} ${order}`, order, createdAfter, activeAfter }
  return fromBorder(ctx, list, page, (given, isBordered) =>
    walkOf(ctx.dialect, [order, createdAfter > 0, activeAfter > 0, isBordered])(ctx.db, { ...given, group }),
  )
}

/** `tier in (1, 2)` instead of `tier >= 1`: two seeks, so that the next column bounds the walk too. */
export async function countOfGroup(db: Kysely<Tables>, group: string, { tier, createdAfter, activeAfter }: GroupBounds): Promise<number> {
  let query = db
    .selectFrom('experiences__group')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('name', '=', group)
    .where(tier, 'in', [1, 2])
  if (createdAfter > 0) query = query.where('created_at', '>', createdAfter)
  if (activeAfter > 0) query = query.where('active_at', '>', activeAfter)
  const { count } = await query.executeTakeFirstOrThrow()
  return Number(count)
}
