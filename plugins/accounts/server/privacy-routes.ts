import type { Principal, Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { accountCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { forgetCookies } from './sign-in.ts'

/** One's own data, and the end of one's own account. */
export function privacyRoutes({ ctx, archives, departures, confirming }: AccountTools): Route[] {
  return [
    route(accountCalls.ownArchive, schemas.ownArchive, {
      access: 'member',
      summary: 'The archive of the own data that was asked for last',
      handle: ({ person }) => archives.stateOf(person.id),
    }),
    route(accountCalls.askArchive, schemas.askArchive, {
      access: 'member',
      summary: 'Have an archive of the own data made; it lies ready for a week',
      limit: { action: 'archive', max: 10, seconds: 24 * 3600, by: 'person' },
      before: confirming.service.require,
      handle: async ({ person }) => {
        await archives.ask(person.id)
        return archives.stateOf(person.id)
      },
    }),
    route(accountCalls.leave, schemas.leave, {
      access: 'member',
      summary: 'Delete the own account in 14 days; a login until then takes it back',
      before: confirming.service.require,
      handle: async ({ body, person }, reply) => {
        const principal = (await ctx.host.credentials.find(person.id)) as Principal
        await departures.ask(principal, body.remove_all_content === true)
        forgetCookies(reply)
      },
    }),
  ]
}
