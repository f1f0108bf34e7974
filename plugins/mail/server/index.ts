import { defineServerPlugin, kernelHooks } from '@stoa/sdk/server'
import { layOut } from './lay-out.ts'
import { settingsRoutes } from './settings-routes.ts'
import { createUndelivered } from './undelivered.ts'
import { undeliveredRoutes } from './undelivered-routes.ts'

export default defineServerPlugin({
  activate(_, ctx) {
    const undelivered = createUndelivered(ctx)
    ctx.on(kernelHooks.beforeMail, (message) => layOut(ctx, message))
    ctx.on(kernelHooks.mailTried, undelivered.tried)
    ctx.routes([...settingsRoutes(ctx), ...undeliveredRoutes(ctx, undelivered)])
    ctx.jobs.every('mail.clean', 3600, undelivered.clean)
  },
})
