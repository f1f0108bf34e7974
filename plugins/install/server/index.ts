import { defineServerPlugin } from '@stoa/sdk/server'
import { markdown } from '../../site/shared/api.ts'
import { installRoutes } from './routes.ts'

export default defineServerPlugin({
  wants: { markdown },
  activate({ markdown }, ctx) {
    ctx.routes(installRoutes(ctx, (name) => markdown.current?.urlTitle(name)))
  },
})
