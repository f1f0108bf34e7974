import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData, reputation } from '../../accounts/shared/api.ts'
import { permissions } from '../../site/shared/api.ts'
import { votable } from '../shared/api.ts'
import { followPurge } from './follow-purge.ts'
import { personalVotes } from './personal-data.ts'
import { voteRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { permissions },
  wants: { objects: votable, reputation },
  provides: { personalData },
  activate({ permissions, objects, reputation }, ctx) {
    followPurge(ctx)
    ctx.routes(voteRoutes({ ctx, permissions, objects, reputation }))
    return { personalData: personalVotes(ctx) }
  },
})
