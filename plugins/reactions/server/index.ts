import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks, personalData } from '../../accounts/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { personalReactions } from './personal-data.ts'
import { forgetPerson } from './react.ts'
import { reactionRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { posts },
  provides: { personalData },
  activate({ posts }, ctx) {
    const capabilities = { ctx, posts }
    ctx.routes(reactionRoutes(capabilities))
    ctx.on(accountHooks.removeContent, (personId) => forgetPerson(capabilities, personId))
    return { personalData: personalReactions(capabilities) }
  },
})
