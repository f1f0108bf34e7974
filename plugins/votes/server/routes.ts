import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { voteCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './cast-vote.ts'
import { castVote } from './cast-vote.ts'
import { votesOfPerson } from './read-history.ts'

/** All calls of this plugin. */
export function voteRoutes(capabilities: Capabilities): Route[] {
  const listedKinds = () => capabilities.objects.current.filter(({ service }) => service.listed).map(({ service }) => service.kind)
  return [
    route(voteCalls.vote, schemas.vote, {
      access: 'active',
      summary: 'Votes up or down, or takes a vote back.',
      form: {},
      limit: { action: 'vote', max: 120, seconds: 600 },
      handle: ({ params, body, person }) => castVote(capabilities, person, body.object_id, params.type === 'up' ? 1 : -1, body),
    }),
    route.read(voteCalls.own, schemas.own, {
      access: 'active',
      summary: 'Votes of the caller on posts.',
      read: votesOfPerson,
      params: ({ query }) => ({ ...query, kinds: listedKinds() }),
    }),
  ]
}
