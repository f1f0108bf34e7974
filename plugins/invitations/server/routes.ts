import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { invitationCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './invite.ts'
import { invite } from './invite.ts'
import { invitedPeople } from './read-invited.ts'

/** All calls of this plugin. */
export function invitationRoutes(capabilities: Capabilities): Route[] {
  return [
    route.read(invitationCalls.invited, schemas.invited, {
      access: 'visitor',
      summary: 'People who were asked to answer a post.',
      read: invitedPeople,
    }),
    route(invitationCalls.invite, schemas.invite, {
      access: 'active',
      summary: 'Makes these people the invited ones of a post.',
      limit: { action: 'invite', max: 30, seconds: 600 },
      handle: ({ body, person }) => invite(capabilities, person, body.id, body.invite_user),
    }),
  ]
}
