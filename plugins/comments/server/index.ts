import { defineServerPlugin } from '@stoa/sdk/server'
import { markdown, permissions, siteSettings } from '../../site/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { commentable, threads } from '../shared/api.ts'
import { followPeople } from './follow-people.ts'
import { commentRoutes } from './routes.ts'
import { createThreads } from './threads.ts'
import { votableComments } from './votable-comments.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings, permissions, markdown },
  wants: { objects: commentable },
  provides: { votable, threads },
  activate({ permissions, markdown, objects }, ctx) {
    const capabilities = { ctx, permissions, markdown, objects }
    ctx.routes(commentRoutes(capabilities))
    followPeople(capabilities)
    return { votable: votableComments(capabilities), threads: createThreads(capabilities) }
  },
})
