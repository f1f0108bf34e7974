import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { staffLog } from '../../audit/shared/api.ts'
import { badgeCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Definitions } from './definitions.ts'
import type { Past } from './past.ts'
import { adminBadges, awardsPage, badgeGroups, badgeInfo, badgesOfPerson, recentBadges, unseenAwards } from './read-tokens.ts'
import { setStatus } from './set-status.ts'
import type { Tables } from './tables.ts'

/** All calls of this plugin. */
export function badgeRoutes(
  ctx: ServerContext<Tables>,
  { definitions, past, log }: { definitions: Definitions; past: Past; log: Wanted<typeof staffLog> },
): Route[] {
  /** Badges of a plugin that was switched on just now are in the list at once. */
  const withRows = async <T>(then: () => Promise<T>): Promise<T> => {
    if (await definitions.store()) await past.soon()
    return then()
  }
  return [
    route(badgeCalls.list, schemas.list, {
      access: 'visitor',
      summary: 'Badges that can be earned here, by group.',
      handle: () => withRows(() => ctx.read(badgeGroups, {})),
    }),
    route.read(badgeCalls.info, schemas.info, { access: 'visitor', summary: 'One badge.', read: badgeInfo }),
    route.read(badgeCalls.awards, schemas.awards, {
      access: 'visitor',
      summary: 'Who has a badge, the newest first; of one person where a name is given.',
      read: awardsPage,
    }),
    route.read(badgeCalls.personal, schemas.personal, { access: 'visitor', summary: 'Badges of somebody.', read: badgesOfPerson }),
    route.read(badgeCalls.recent, schemas.recent, { access: 'visitor', summary: 'The last ten badges of somebody.', read: recentBadges }),
    route.read(badgeCalls.unseen, schemas.unseen, {
      access: 'active',
      summary: 'Badges that the caller got and was not shown yet.',
      read: unseenAwards,
      params: () => ({}),
    }),
    route(badgeCalls.seen, schemas.seen, {
      access: 'active',
      summary: 'Says that badges were shown to the caller.',
      handle: async ({ body, person }) => {
        const ns = body.award_ids.flatMap((id) => {
          const decoded = ctx.ids.decode(id)
          return decoded?.kind === 'badge_award' ? [decoded.n] : []
        })
        if (ns.length === 0) return
        await ctx.db.write((tx) =>
          tx.updateTable('badges__award').set({ is_seen: 1 }).where('id', 'in', ns).where('person_id', '=', person.id).execute(),
        )
      },
    }),
    route(badgeCalls.adminPage, schemas.adminPage, {
      access: 'admin',
      summary: 'All badges, those that are switched off too.',
      handle: ({ query }) => withRows(() => ctx.read(adminBadges, query)),
    }),
    route(badgeCalls.setStatus, schemas.setStatus, {
      access: 'admin',
      summary: 'Switches a badge on or off.',
      handle: ({ body, person }) => setStatus({ ctx, past, log }, person.id, body),
    }),
  ]
}
