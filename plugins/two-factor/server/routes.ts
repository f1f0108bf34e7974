import type { Route, RouteLimit, RouteRequest } from '@stoa/sdk/server'
import { isStaff, route } from '@stoa/sdk/server'
import { twoFactorCalls, twoFactorErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities, Factor } from './factor.ts'

const guesses: RouteLimit = { action: 'guess', max: 20, seconds: 1800, by: 'person', countsStaff: true }

/** All calls of this plugin. What changes anything wants a confirmed session. */
export function twoFactorRoutes({ ctx, confirmation }: Capabilities, factor: Factor): Route[] {
  const before = (request: Pick<RouteRequest, 'person' | 'token'>) => confirmation.require(request)

  /** @throws `error.two_factor.unknown_person` */
  async function target(id: string): Promise<number> {
    const principal = /^\d{1,15}$/.test(id) ? await ctx.host.credentials.find(Number(id)) : undefined
    if (!principal || principal.state === 'deleted') throw twoFactorErrors.unknown_person({ id })
    return principal.id
  }

  return [
    route(twoFactorCalls.state, schemas.state, {
      access: 'active',
      summary: 'Whether the person has set up codes of an app',
      handle: async ({ person }) => {
        const since = (await factor.find(person.id))?.enabled_at ?? 0
        const { staff } = ctx.plugin.settings.get<{ staff: boolean }>()
        return {
          is_on: since > 0,
          since,
          recovery_left: since > 0 ? await factor.countRecovery(person.id) : 0,
          is_demanded: staff && (isStaff(person) || person.isHeldBack === true),
        }
      },
    }),
    route(twoFactorCalls.begin, schemas.begin, {
      access: 'active',
      summary: 'Make a secret for an app; nothing is demanded before a code of it was sent',
      limit: guesses,
      before,
      handle: async ({ person }) => factor.begin(person.id, (await ctx.host.credentials.find(person.id))?.login ?? ''),
    }),
    route(twoFactorCalls.enable, schemas.enable, {
      access: 'active',
      summary: 'Demand a code at each login from now on; the reply has the recovery codes, once',
      limit: guesses,
      before,
      handle: async ({ body, person }) => ({ codes: await factor.enable(person.id, body.code) }),
    }),
    route(twoFactorCalls.renew, schemas.renew, {
      access: 'active',
      summary: 'Replace all recovery codes',
      limit: guesses,
      before,
      handle: async ({ person }) => ({ codes: await factor.renew(person.id) }),
    }),
    route(twoFactorCalls.disable, schemas.disable, {
      access: 'active',
      summary: 'Demand no code any more; the recovery codes are gone',
      before,
      handle: async ({ person }) => {
        await factor.remove(person.id)
      },
    }),
    route(twoFactorCalls.stateOf, schemas.stateOf, {
      access: 'admin',
      summary: 'Whether somebody has set up codes of an app',
      handle: async ({ query }) => ({ is_on: await factor.isOn(await target(query.user_id)) }),
    }),
    route(twoFactorCalls.reset, schemas.reset, {
      access: 'admin',
      summary: 'Take the codes from somebody who has lost them; noted in the log',
      before,
      handle: async ({ body, person }) => {
        const id = await target(body.user_id)
        if (await factor.remove(id)) ctx.log.info(`The second step of person ${id} was reset by admin ${person.id}`)
      },
    }),
  ]
}
