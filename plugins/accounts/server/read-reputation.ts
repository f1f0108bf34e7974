import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { countedPage, isAmong } from '@stoa/sdk/server'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RewardedObject } from '../shared/api.ts'
import { accountErrors, rewardedObjects, shownRewards } from '../shared/api.ts'
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
  const kinds = await shownKinds(ctx)
  if (kinds.length === 0) return { count: 0, list: [] }
  const own = ctx.db
    .selectFrom('accounts__reputation')
    .where('person_id', '=', person.id)
    .where('is_cancelled', '=', changeState.standing)
    .where('delta', '>', 0)
    .where('reason', 'not in', [...Object.values(ledgerOnly), 'user.activated'])
    .where((eb) =>
      eb.or(
        kinds.map(({ beginning, filters }) =>
          eb.and([eb('object_id', 'like', `${beginning}%`), ...filters.map((ids) => isAmong(runningNumber, ids))]),
        ),
      ),
    )
  const { size, offset } = rowsOfPage(query)
  const { rows, count } = await countedPage(
    { size, offset },
    () =>
      own
        .select(['object_id', 'delta', 'reason', 'created_at'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(size)
        .offset(offset)
        .execute(),
    async () => Number((await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count),
  )
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
  return { count, list }
}

/** Digits of a long id that name its kind, behind them the running number. */
const KIND_DIGITS = 4

/** In SQL; nothing for what is no long id, which PostgreSQL would refuse to read as a number. */
const runningNumber = sql<number | null>`case when length(object_id) = 17 and trim(object_id, '0123456789') = ''
  then cast(substr(object_id, ${sql.lit(KIND_DIGITS + 1)}) as bigint) end`

/** Kinds of which something is listed: how their ids begin, and which are. */
async function shownKinds(ctx: ReadContext): Promise<{ beginning: string; filters: RawBuilder<number>[] }[]> {
  const kinds = await Promise.all(
    ctx.ids.kinds.map(async (kind) => ({
      beginning: ctx.ids.encode(kind, 0).slice(0, KIND_DIGITS),
      filters: await ctx.filters(shownRewards, { kind }),
    })),
  )
  return kinds.filter(({ filters }) => filters.length > 0)
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
