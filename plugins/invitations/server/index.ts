import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks, people } from '../../accounts/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { permissions } from '../../site/shared/api.ts'
import { forgetPerson } from './invite.ts'
import { invitationRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { posts, people, permissions },
  activate({ posts, people, permissions }, ctx) {
    ctx.routes(invitationRoutes({ ctx, posts, people, permissions }))
    ctx.on(accountHooks.removeContent, (personId) => forgetPerson({ ctx }, personId))
  },
})
