import type { ServerContext } from '@stoa/sdk/server'
import { forUpdate, statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SiteSettings } from '../../site/shared/api.ts'
import type { People, PersonCounter } from '../shared/api.ts'
import { cardOf } from './cards.ts'
import { personNamed } from './names.ts'
import type { AccountTables } from './tables.ts'
import { cardColumns } from './tables.ts'

const counting = (counter: PersonCounter) =>
  statement((db: Kysely<AccountTables>, { id, delta }: { id: number; delta: number }) =>
    db
      .updateTable('accounts__profile')
      .set((eb) => ({ [counter]: eb(counter, '+', delta) }))
      .where('id', '=', id),
  )
const counters = {
  experience_count: counting('experience_count'),
  answer_count: counting('answer_count'),
  follow_count: counting('follow_count'),
}

const holding = statement((db: Kysely<AccountTables>, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('accounts__profile').select('id').where('id', 'in', ids).orderBy('id').$call(forUpdate('postgres')),
)

/**
 * Stores numbers at the end of the transaction, and holds all of its people before the first, in the order of their numbers: of two that count the same
 * people neither waits for the other, whatever they changed first.
 */
function createCounting(ctx: ServerContext<AccountTables>): People['count'] {
  const counted = new WeakMap<object, Set<number>>()
  return (id, counter, delta) =>
    ctx.db.write(async (tx) => {
      const ids = counted.get(tx) ?? new Set()
      counted.set(tx, ids.add(id))
      await ctx.db.beforeCommit(async () => {
        if (ids.size > 1 && ctx.db.dialect === 'postgres') await holding(tx, { ids: [...ids] })
        ids.clear()
        await counters[counter](tx, { id, delta })
      })
    })
}

/** People as other plugins' writes need them; lists go through the reads. */
export function createPeople(ctx: ServerContext<AccountTables>, settings: SiteSettings): People {
  return {
    async card(id) {
      const row = await ctx.db.query.selectFrom('accounts__profile').select(cardColumns).where('id', '=', id).executeTakeFirst()
      return row && cardOf(row, await settings.get('users'))
    },
    async idOf(username) {
      const row = await ctx.db.query
        .selectFrom('accounts__profile')
        .select('id')
        .where('id', '=', personNamed(ctx.db.query, username))
        .where('state', '!=', 'deleted')
        .executeTakeFirst()
      return row?.id
    },
    async rankOf(id) {
      const row = await ctx.db.query.selectFrom('accounts__profile').select('rank').where('id', '=', id).executeTakeFirst()
      return row?.rank ?? 0
    },
    count: createCounting(ctx),
  }
}
