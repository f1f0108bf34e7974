import { defineServerPlugin } from '@stoa/sdk/server'
import { siteSettings } from '../../site/shared/api.ts'
import { matters, statistics } from '../shared/api.ts'
import { dashboardRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { settings: siteSettings },
  wants: { statistics, matters },
  activate(services, ctx) {
    ctx.routes(dashboardRoutes({ ctx, ...services }))
  },
})
