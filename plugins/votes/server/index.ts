import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData, reputation } from '../../accounts/shared/api.ts'
import { statistics } from '../../dashboard/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { permissions } from '../../site/shared/api.ts'
import { votable } from '../shared/api.ts'
import { followPurge } from './follow-purge.ts'
import { tellOfVotes } from './notices.ts'
import { personalVotes } from './personal-data.ts'
import { voteRoutes } from './routes.ts'
import { voteStatistics } from './statistics.ts'

export default defineServerPlugin({
  needs: { permissions },
  wants: { objects: votable, reputation, notices },
  provides: { personalData, statistics },
  activate({ permissions, objects, reputation, notices }, ctx) {
    followPurge(ctx)
    tellOfVotes(ctx, notices)
    ctx.routes(voteRoutes({ ctx, permissions, objects, reputation }))
    return { personalData: personalVotes(ctx), statistics: voteStatistics(ctx) }
  },
})
