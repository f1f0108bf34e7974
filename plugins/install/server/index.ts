import { defineServerPlugin } from '@stoa/sdk/server'
import { passwords } from '../../accounts/shared/api.ts'
import { markdown } from '../../site/shared/api.ts'
import { installRoutes } from './routes.ts'

export default defineServerPlugin({
  wants: { markdown, passwords },
  activate({ markdown, passwords }, ctx) {
    ctx.routes(installRoutes(ctx, passwords, (name) => markdown.current?.urlTitle(name)))
  },
})
