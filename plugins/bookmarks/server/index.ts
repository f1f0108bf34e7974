import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks, personalData } from '../../accounts/shared/api.ts'
import { bookmarkable } from '../shared/api.ts'
import { personalBookmarks } from './personal-data.ts'
import { bookmarkRoutes } from './routes.ts'
import { takeAllAway } from './switch-bookmark.ts'

export default defineServerPlugin({
  wants: { objects: bookmarkable },
  provides: { personalData },
  activate({ objects }, ctx) {
    const capabilities = { ctx, objects }
    ctx.routes(bookmarkRoutes(capabilities))
    ctx.on(accountHooks.removeContent, (personId) => takeAllAway(capabilities, personId))
    return { personalData: personalBookmarks(capabilities) }
  },
})
