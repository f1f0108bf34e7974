import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { reactionCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Capabilities } from './find-object.ts'
import { requireObject } from './find-object.ts'
import { react } from './react.ts'
import { summaryOf } from './read-tokens.ts'

/** All calls of this plugin. */
export function reactionRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities
  return [
    route(reactionCalls.get, schemas.get, {
      access: 'visitor',
      summary: 'Reactions to a post or an answer; null where nobody reacted.',
      async handle({ query, person }) {
        const { kind, n } = await requireObject(capabilities, person, query.object_id)
        const reaction_summary = await ctx.read(summaryOf, { kind, n })
        return reaction_summary.length > 0 ? { reaction_summary } : null
      },
    }),
    route(reactionCalls.react, schemas.react, {
      access: 'active',
      summary: 'Reacts to a post or an answer, or takes a reaction back.',
      form: {},
      limit: { action: 'react', max: 120, seconds: 600 },
      handle: async ({ body: { object_id, emoji, reaction, toggle }, person }) => ({
        reaction_summary: await react(capabilities, person, { id: object_id, emoji, reaction: toggle ? 'toggle' : reaction }),
      }),
    }),
  ]
}
