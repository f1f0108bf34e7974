import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { notices } from '../../notifications/shared/api.ts'
import type { BadgeDefinition } from '../shared/api.ts'
import { badgeEvents } from '../shared/api.ts'
import type { Tables } from './tables.ts'

/** A notice for each award, among the achievements of its owner. */
export function tellOfAwards(ctx: ServerContext<Tables>, inbox: Wanted<typeof notices>): void {
  ctx.on(badgeEvents.awarded, async ({ award, badge, name, personId }) => {
    const row = await ctx.db.query.selectFrom('badges__badge').select('definition').where('id', '=', badge).executeTakeFirst()
    if (!row) return
    const { icon, level } = JSON.parse(row.definition) as BadgeDefinition
    await inbox.current?.tell({
      kind: 'badges.awarded',
      to: [personId],
      key: String(award),
      object: { kind: 'badge_award', n: award },
      award: { badgeId: ctx.ids.short('badge', badge), name: `${name}.name`, icon, level },
    })
  })
}
