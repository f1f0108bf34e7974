import type { ServerContext } from '@stoa/sdk/server'
import type { Awards, Deserved } from '../shared/api.ts'
import { badgeEvents, badgeLive } from '../shared/api.ts'
import type { Definitions } from './definitions.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

export interface Awarding extends Awards {
  /** The same for what happened a while ago: nobody is told. */
  giveSilently(badge: string, to: Deserved): Promise<boolean>
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

  async function give(name: string, { personId, object }: Deserved, isSilent: boolean): Promise<boolean> {
    await definitions.store()
    const definition = definitions.get(name)
    const badge = definition && (await findBadge(name))
    if (!badge || (!definition.single && !object)) return false
    const award_key = definition.single || !object ? '' : ctx.ids.encode(object.kind, object.n)
    if (await has(badge.id, personId, award_key)) return false
    const person = await ctx.host.credentials.find(personId)
    if (!person || person.state === 'deleted') return false
    return ctx.db.write(async (tx) => {
      const row = await tx
        .insertInto('badges__award')
        .values({
          badge_id: badge.id,
          person_id: personId,
          award_key,
          ...(object && { object_kind: object.kind, object_n: object.n }),
          created_at: ctx.now(),
          is_seen: isSilent ? 1 : 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!row) return false
      await tx
        .updateTable('badges__badge')
        .set((eb) => ({ award_count: eb('award_count', '+', 1) }))
        .where('id', '=', badge.id)
        .execute()
      if (!isSilent) {
        await ctx.emit(badgeEvents.awarded, { award: row.id, badge: badge.id, name, personId })
        await ctx.live.push(badgeLive.awarded, String(personId), {})
      }
      return true
    })
  }

  return {
    give: (badge, to) => give(badge, to, false),
    giveSilently: (badge, to) => give(badge, to, true),
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
