import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { PostRow } from '../store/rows.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { OrderName } from './order.ts'
import { orders } from './order.ts'

interface GroupBounds {
  tier: 'tier' | 'open_tier'
  /** Unix seconds, 0 for no bound. */
  createdAfter: number
  activeAfter: number
}

const walks = new Map<string, ReturnType<typeof walkOf>>()
const walkOf = (name: OrderName, createdAfter: boolean, activeAfter: boolean) =>
  statement((db: Kysely<Tables>, given: { group: string; size: number; offset: number; createdAfter: number; activeAfter: number }) => {
    const { tier, by } = orders[name]
    let numbers = db.selectFrom('experiences__group').select('post_id').where('name', '=', given.group).where(tier, '>=', 1)
    // The plus signs keep these columns' own indexes out of it.
    if (createdAfter) numbers = numbers.where(sql<number>`+created_at`, '>', given.createdAfter)
    if (activeAfter) numbers = numbers.where(sql<number>`+active_at`, '>', given.activeAfter)
    numbers = numbers.orderBy(tier, 'desc')
    for (const column of by) numbers = numbers.orderBy(column, 'desc')
    numbers = numbers.orderBy('post_id', 'desc').limit(given.size).offset(given.offset)
    let posts = db.selectFrom('experiences__post').select(postColumns).where('id', 'in', numbers).orderBy(tier, 'desc')
    for (const column of by) posts = posts.orderBy(column, 'desc')
    return posts.orderBy('id', 'desc')
  })

/** A page of a group in one of the orders, in one statement: its numbers from an index of the group alone, then its rows. */
export function pageOfGroup(
  db: Kysely<Tables>,
  group: string,
  order: OrderName,
  { createdAfter, activeAfter }: GroupBounds,
  page: { size: number; offset: number },
): Promise<PostRow[]> {
  const key = `${order} ${createdAfter > 0} ${activeAfter > 0}`
  let walk = walks.get(key)
  if (!walk) {
    walk = walkOf(order, createdAfter > 0, activeAfter > 0)
    walks.set(key, walk)
  }
  return walk(db, { group, createdAfter, activeAfter, ...page })
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
