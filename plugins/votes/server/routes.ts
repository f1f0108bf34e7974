import type { Person } from '@stoa/sdk'
import type { Route } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'
import type { Capabilities } from './cast-vote.ts'
import { castVote } from './cast-vote.ts'
import { votesOfPerson } from './read-history.ts'

const text = Type.String()
const whole = Type.Integer()

/** All calls of this plugin. */
export function voteRoutes(capabilities: Capabilities): Route[] {
  const listedKinds = () => capabilities.objects.current.filter(({ service }) => service.listed).map(({ service }) => service.kind)
  return [
    route({
      method: 'POST',
      path: '/answer/api/v1/vote/:type',
      access: 'active',
      summary: 'Votes up or down, or takes a vote back.',
      params: Type.Object({ type: Type.Unsafe<'up' | 'down'>(Type.String({ enum: ['up', 'down'] })) }),
      body: Type.Object({ object_id: Type.String({ minLength: 1, maxLength: 100 }), is_cancel: Type.Boolean({ default: false }) }),
      reply: Type.Object({ up_votes: whole, down_votes: whole, votes: whole, vote_status: text }),
      async handle({ params, body, person }) {
        const voter = person as Person
        await capabilities.ctx.limit('vote', { key: voter.id, max: 120, seconds: 600 })
        return castVote(capabilities, voter, body.object_id, params.type === 'up' ? 1 : -1, body.is_cancel)
      },
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/personal/vote/page',
      access: 'active',
      summary: 'Votes of the caller on posts.',
      query: Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }), page_size: Type.Integer({ minimum: 1, default: 10 }) }),
      reply: Type.Object({
        count: whole,
        list: Type.Array(
          Type.Object({
            created_at: whole,
            object_id: text,
            experience_id: text,
            answer_id: text,
            object_type: text,
            title: text,
            url_title: text,
            content: text,
            vote_type: text,
          }),
        ),
      }),
      read: votesOfPerson,
      readParams: ({ query }) => ({ ...query, kinds: listedKinds() }),
    }),
  ]
}
