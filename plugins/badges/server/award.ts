import type { ServerContext } from '@stoa/sdk/server'
import type { Insertable, Kysely } from 'kysely'
import { personCards } from '../../accounts/shared/api.ts'
import type { Awards, Deserved } from '../shared/api.ts'
import { badgeEvents, badgeLive } from '../shared/api.ts'
import type { Definitions } from './definitions.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

export interface Awarding extends Awards {
  /** The same for what happened a while ago, to some hundred at most: nobody is told. @returns how many got one */
  giveSilently(badge: string, to: readonly Deserved[]): Promise<number>
  /** Takes all badges of somebody who was deleted. */
  forget(personId: number): Promise<void>
}

/** Awards, one for each person and deed: a unique constraint decides, so that a deed that is told twice is rewarded once. */
export function createAwarding(ctx: ServerContext<Tables>, definitions: Definitions): Awarding {
  const findBadge = (name: string) =>
    ctx.db.query
      .selectFrom('badges__badge')
      .select('id')
      .where('name', '=', name)
      .where('status', '=', badgeStatus.active)
      .executeTakeFirst()

  const has = (badgeId: number, personId: number, award_key: string) =>
    ctx.db.query
      .selectFrom('badges__award')
      .select('id')
      .where('badge_id', '=', badgeId)
      .where('person_id', '=', personId)
      .where('award_key', '=', award_key)
      .executeTakeFirst()

  /** The badge as it is awarded now, and what makes one award of it: undefined where nobody gets it. */
  async function awardable(name: string) {
    await definitions.store()
    const definition = definitions.get(name)
    const badge = definition && (await findBadge(name))
    if (!badge) return undefined
    const { single } = definition
    const rowOf = ({ personId, object }: Deserved, is_seen: 0 | 1) => ({
      badge_id: badge.id,
      person_id: personId,
      award_key: single || !object ? '' : ctx.ids.encode(object.kind, object.n),
      object_kind: object?.kind ?? '',
      object_n: object?.n ?? 0,
      created_at: ctx.now(),
      is_seen,
    })
    return { id: badge.id, isFit: ({ object }: Deserved) => single || object !== undefined, rowOf }
  }

  /** In the transaction of the caller. @returns those that were not there */
  async function store(tx: Kysely<Tables>, badgeId: number, rows: Insertable<Tables['badges__award']>[]) {
    const made = await tx
      .insertInto('badges__award')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'person_id'])
      .execute()
    if (made.length > 0)
      await tx
        .updateTable('badges__badge')
        .set((eb) => ({ award_count: eb('award_count', '+', made.length) }))
        .where('id', '=', badgeId)
        .execute()
    return made
  }

  async function give(name: string, to: Deserved): Promise<boolean> {
    const badge = await awardable(name)
    if (!badge?.isFit(to)) return false
    const { personId } = to
    const row = badge.rowOf(to, 0)
    if (await has(badge.id, personId, row.award_key)) return false
    const person = await ctx.host.credentials.find(personId)
    if (!person || person.state === 'deleted') return false
    return ctx.db.write(async (tx) => {
      const [made] = await store(tx, badge.id, [row])
      if (!made) return false
      await ctx.emit(badgeEvents.awarded, { award: made.id, badge: badge.id, name, personId })
      await ctx.live.push(badgeLive.awarded, String(personId), {})
      return true
    })
  }

  async function giveSilently(name: string, to: readonly Deserved[]): Promise<number> {
    const badge = await awardable(name)
    if (!badge) return 0
    const fit = to.filter(badge.isFit)
    const cards = await ctx.read(personCards, { ids: [...new Set(fit.map(({ personId }) => personId))] })
    const rows = fit.filter(({ personId }) => (cards[personId]?.status ?? 'deleted') !== 'deleted').map((one) => badge.rowOf(one, 1))
    if (rows.length === 0) return 0
    return await ctx.db.write(async (tx) => (await store(tx, badge.id, rows)).length)
  }

  return {
    give,
    giveSilently,
    async forget(personId) {
      await ctx.db.write(async (tx) => {
        const rows = await tx.deleteFrom('badges__award').where('person_id', '=', personId).returning('badge_id').execute()
        // Always in this order: two deletions at once do not wait for each other.
        for (const [badgeId, own] of [...Map.groupBy(rows, (row) => row.badge_id)].sort(([one], [other]) => one - other))
          await tx
            .updateTable('badges__badge')
            .set((eb) => ({ award_count: eb('award_count', '-', own.length) }))
            .where('id', '=', badgeId)
            .execute()
      })
    },
  }
}
