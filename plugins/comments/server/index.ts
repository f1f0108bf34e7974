import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { permissions, renderedTexts, rendering, siteSettings } from '../../site/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { commentable, commentLive, threads } from '../shared/api.ts'
import { findObject } from './find-object.ts'
import { followPeople, personalComments } from './follow-people.ts'
import { followPurge } from './follow-purge.ts'
import { renderedComments } from './rendered-comments.ts'
import { commentRoutes } from './routes.ts'
import { createThreads } from './threads.ts'
import { votableComments } from './votable-comments.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, rendering },
  wants: { objects: commentable },
  provides: { votable, threads, rendered: renderedTexts, personalData },
  activate({ permissions, rendering, objects }, ctx) {
    const capabilities = { ctx, permissions, rendering, objects }
    ctx.routes(commentRoutes(capabilities))
    followPeople(capabilities)
    followPurge(capabilities)
    ctx.live.open(commentLive.added, async ({ person, topic }) => {
      if (ctx.site.isPrivate && !person) return false
      const decoded = ctx.ids.decode(topic)
      return decoded !== null && (await findObject(capabilities, decoded.kind, decoded.n, person)) !== undefined
    })
    return {
      votable: votableComments(capabilities),
      threads: createThreads(capabilities),
      rendered: renderedComments(capabilities),
      personalData: personalComments(capabilities),
    }
  },
})
