import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { accountCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { deviceOf, networkOf } from './devices.ts'

/** Where somebody is logged in. */
export function sessionRoutes({ ctx }: AccountTools): Route[] {
  return [
    route(accountCalls.sessions, schemas.sessions, {
      access: 'member',
      summary: 'Where the person is logged in, used last first',
      handle: async ({ person, token }) => {
        const sessions = await ctx.host.credentials.sessionsOf(person.id, token ?? undefined)
        return sessions.map(({ id, ip, userAgent, createdAt, usedAt, isCurrent }) => ({
          id,
          ...deviceOf(userAgent),
          network: networkOf(ip),
          created_at: createdAt,
          used_at: usedAt,
          is_current: isCurrent,
        }))
      },
    }),
    route(accountCalls.endSession, schemas.endSession, {
      access: 'member',
      summary: 'End one of the own sessions; nothing happens for one that has ended',
      handle: ({ body, person }) => ctx.host.credentials.endSession(person.id, body.id),
    }),
    route(accountCalls.endOtherSessions, schemas.endOtherSessions, {
      access: 'member',
      summary: 'End all sessions but the one that asks',
      handle: ({ person, token }) => ctx.host.credentials.closeSessions(person.id, token ?? undefined),
    }),
  ]
}
