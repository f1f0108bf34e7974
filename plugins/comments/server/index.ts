import { defineServerPlugin } from '@stoa/sdk/server'
import { markdown, permissions, siteSettings } from '../../site/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { commentable } from '../shared/api.ts'
import { followObjects } from './follow-objects.ts'
import { commentRoutes } from './routes.ts'
import { votableComments } from './votable-comments.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown },
  wants: { objects: commentable },
  provides: { votable },
  activate({ permissions, markdown, objects }, ctx) {
    const capabilities = { ctx, permissions, markdown, objects }
    ctx.routes(commentRoutes(capabilities))
    followObjects(capabilities)
    return { votable: votableComments(capabilities) }
  },
})
