import { defineServerPlugin } from '@stoa/sdk/server'
import { installRoutes } from './routes.ts'

export default defineServerPlugin({
  activate(_services, ctx) {
    ctx.routes(installRoutes(ctx))
  },
})
