import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks } from '../../accounts/shared/api.ts'
import { bookmarkable } from '../shared/api.ts'
import { bookmarkRoutes } from './routes.ts'
import { takeAllAway } from './switch-bookmark.ts'

export default defineServerPlugin({
  wants: { objects: bookmarkable },
  activate({ objects }, ctx) {
    const capabilities = { ctx, objects }
    ctx.routes(bookmarkRoutes(capabilities))
    ctx.on(accountHooks.removeContent, (personId) => takeAllAway(capabilities, personId))
  },
})
