import { defineServerPlugin } from '@stoa/sdk/server'
import { people, personalData } from '../../accounts/shared/api.ts'
import { statistics } from '../../dashboard/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { gate } from '../../review/shared/api.ts'
import { moderated, permissions, renderedTexts, rendering, siteSettings } from '../../site/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { commentable, commentLive, threads } from '../shared/api.ts'
import { findObject } from './find-object.ts'
import { followPeople, personalComments } from './follow-people.ts'
import { followPurge } from './follow-purge.ts'
import { moderatedComments } from './moderated.ts'
import { tellOfComments } from './notices.ts'
import { renderedComments } from './rendered-comments.ts'
import { commentRoutes } from './routes.ts'
import { commentStatistics } from './statistics.ts'
import { createThreads } from './threads.ts'
import { votableComments } from './votable-comments.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, rendering, people },
  wants: { objects: commentable, notices, owners: moderated, gate },
  provides: { votable, moderated, threads, rendered: renderedTexts, personalData, statistics },
  activate({ permissions, rendering, objects, people, notices, owners, gate }, ctx) {
    const capabilities = { ctx, permissions, rendering, objects, gate }
    ctx.routes(commentRoutes(capabilities))
    followPeople(capabilities)
    followPurge(capabilities)
    tellOfComments(capabilities, { people, notices })
    ctx.live.open(commentLive.added, async ({ person, topic }) => {
      if (ctx.site.isPrivate && !person) return false
      const decoded = ctx.ids.decode(topic)
      return decoded !== null && (await findObject(capabilities, decoded.kind, decoded.n, person)) !== undefined
    })
    return {
      votable: votableComments(capabilities),
      moderated: moderatedComments(capabilities, owners),
      threads: createThreads(capabilities),
      rendered: renderedComments(capabilities),
      personalData: personalComments(capabilities),
      statistics: commentStatistics(ctx),
    }
  },
})
