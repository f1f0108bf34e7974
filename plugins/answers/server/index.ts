import { defineServerPlugin } from '@stoa/sdk/server'
import { people, reputation } from '../../accounts/shared/api.ts'
import { commentable, threads } from '../../comments/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { searchSource } from '../../search/shared/api.ts'
import { markdown, permissions, siteSettings } from '../../site/shared/api.ts'
import { votable } from '../../votes/shared/api.ts'
import { followParents } from './follow-parents.ts'
import { sayWhoMayEdit } from './may-edit.ts'
import { readRoutes, writeRoutes } from './routes.ts'
import { commentableAnswers, searchableAnswers, votableAnswers } from './services.ts'

export default defineServerPlugin({
  needs: { posts, settings: siteSettings, permissions, markdown, people },
  wants: { reputation, threads },
  provides: { commentable, votable, searchSource },
  activate(services, ctx) {
    const capabilities = { ctx, ...services }
    ctx.routes(readRoutes)
    ctx.routes(writeRoutes(capabilities))
    followParents(capabilities)
    sayWhoMayEdit(capabilities)
    return {
      commentable: commentableAnswers(capabilities),
      votable: votableAnswers(capabilities),
      searchSource: searchableAnswers(capabilities),
    }
  },
})
