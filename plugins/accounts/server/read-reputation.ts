import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import type { RewardedObject } from '../shared/api.ts'
import { accountErrors, rewardedObjects } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { AccountTables } from './tables.ts'
import { changeState, ledgerOnly } from './tables.ts'

/** `personal/rank/page`: what brought somebody reputation and counts, the newest first; of that what the person who asks may see. */
export async function readReputation(
  ctx: ReadContext<AccountTables>,
  query: Static<typeof schemas.reputation.query>,
): Promise<Static<typeof schemas.reputation.reply>> {
  const { username } = query
  const found = ctx.db.selectFrom('accounts__profile').select('id').where('state', '!=', 'deleted')
  const person =
    username === undefined
      ? await found.where('id', '=', ctx.person?.id ?? 0).executeTakeFirst()
      : await found.where('username_lower', '=', username.toLowerCase()).executeTakeFirst()
  if (!person) throw accountErrors.not_found({ id: username ?? '' })
  const own = ctx.db
    .selectFrom('accounts__reputation')
    .where('person_id', '=', person.id)
    .where('is_cancelled', '=', changeState.standing)
    .where('delta', '>', 0)
    .where('reason', 'not in', [...Object.values(ledgerOnly), 'user.activated'])
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { size, offset } = rowsOfPage(query)
  const rows = await own
    .select(['object_id', 'delta', 'reason', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const items = rows.flatMap((row) => {
    const object = ctx.ids.decode(row.object_id)
    return object ? [{ row, kind: object.kind, n: object.n, view: null as RewardedObject | null }] : []
  })
  await ctx.decorate(rewardedObjects, items)
  const list = items.flatMap(({ row, kind, view }) =>
    view
      ? [{ ...view, created_at: row.created_at, object_type: kind, reputation: row.delta, rank_type: ctx.text(`rank_type.${row.reason}`) }]
      : [],
  )
  return { count: Number(count), list }
}

const SHOWN = 20

/** What the last check found: whose rank is another than the sum of their rows. */
export async function readDifferences(ctx: ReadContext<AccountTables>): Promise<Static<typeof schemas.reputationCheck.reply>> {
  const all = ctx.db.selectFrom('accounts__rank_difference as d').innerJoin('accounts__profile as p', 'p.id', 'd.person_id')
  const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await all
    .select(['d.person_id', 'p.username', 'p.display_name', 'd.rank', 'd.ledger', 'd.found_at'])
    .orderBy('d.person_id')
    .limit(SHOWN)
    .execute()
  return { count: Number(count), list: rows.map(({ person_id, ...row }) => ({ user_id: String(person_id), ...row })) }
}
