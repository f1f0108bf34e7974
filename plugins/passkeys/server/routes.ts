import type { Route, RouteLimit, RouteRequest } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { passkeyCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities, Passkeys } from './passkeys.ts'

const registrations: RouteLimit = { action: 'register', max: 30, seconds: 3600, by: 'person', countsStaff: true }

/** All calls of this plugin; logging in is a call of accounts. Adding and removing wants a confirmed session. */
export function passkeyRoutes({ confirmation }: Capabilities, passkeys: Passkeys): Route[] {
  const before = (request: Pick<RouteRequest, 'person' | 'token'>) => confirmation.require(request)
  return [
    route(passkeyCalls.list, schemas.list, {
      access: 'active',
      summary: 'Passkeys of the person',
      handle: async ({ person }) => ({
        list: (await passkeys.listOf(person.id)).map(({ id, name, created_at, last_used_at }) => ({ id, name, created_at, last_used_at })),
        address: passkeys.place()?.origin ?? '',
      }),
    }),
    route(passkeyCalls.begin, schemas.begin, {
      access: 'active',
      summary: 'Begin to register a passkey',
      limit: registrations,
      before,
      handle: ({ person }) => passkeys.begin(person.id),
    }),
    route(passkeyCalls.add, schemas.add, {
      access: 'active',
      summary: 'Register the passkey that the browser made',
      limit: registrations,
      before,
      handle: ({ body, person }) => passkeys.add(person.id, body.name, body.response),
    }),
    route(passkeyCalls.rename, schemas.rename, {
      access: 'active',
      summary: 'Call a passkey something else',
      handle: ({ body, person }) => passkeys.rename(person.id, body.id, body.name),
    }),
    route(passkeyCalls.remove, schemas.remove, {
      access: 'active',
      summary: 'Remove a passkey; refused for the last way to log in',
      before,
      handle: ({ body, person }) => passkeys.remove(person.id, body.id),
    }),
  ]
}
