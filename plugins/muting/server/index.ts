import { defineServerPlugin, route } from '@stoa/sdk/server'
import { people, personalData } from '../../accounts/shared/api.ts'
import { noticeFilters } from '../../notifications/shared/api.ts'
import { mutingCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { setMute, stateOf } from './mute.ts'
import { personalMutes } from './personal-data.ts'
import { ownMutes } from './read-mutes.ts'

export default defineServerPlugin({
  needs: { people },
  provides: { filter: noticeFilters, personalData },
  activate({ people }, ctx) {
    const capabilities = { ctx, people }
    ctx.routes([
      route.read(mutingCalls.own, schemas.own, { access: 'active', summary: 'Whom the caller has muted, the last first', read: ownMutes }),
      route(mutingCalls.state, schemas.state, {
        access: 'active',
        summary: 'Whether the caller has muted somebody, and could',
        handle: ({ query, person }) => stateOf(capabilities, person, query.username),
      }),
      route(mutingCalls.set, schemas.set, {
        access: 'active',
        summary: 'Mutes somebody, or takes that back',
        limit: { action: 'mute', max: 120, seconds: 600 },
        handle: async ({ body, person }) => {
          await setMute(capabilities, person, body.username, body.mute)
          return { muted: body.mute }
        },
      }),
    ])
    return {
      filter: {
        async refusing(actorId, personIds) {
          const rows = await ctx.db.query
            .selectFrom('muting__mute')
            .select('person_id')
            .where('muted_id', '=', actorId)
            .where('person_id', 'in', [...personIds])
            .execute()
          return rows.map(({ person_id }) => person_id)
        },
      },
      personalData: personalMutes(ctx),
    }
  },
})
