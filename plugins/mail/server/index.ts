import { defineServerPlugin, kernelEvents, kernelHooks } from '@stoa/sdk/server'
import { matters } from '../../dashboard/shared/api.ts'
import { channels, notices } from '../../notifications/shared/api.ts'
import { createChannel } from './channel.ts'
import { layOut } from './lay-out.ts'
import { mailMatters } from './matters.ts'
import { createOutgoing } from './outgoing.ts'
import { settingsRoutes } from './settings-routes.ts'
import { createUndelivered } from './undelivered.ts'
import { undeliveredRoutes } from './undelivered-routes.ts'

export default defineServerPlugin({
  wants: { notices },
  provides: { channel: channels, matters },
  activate({ notices }, ctx) {
    const undelivered = createUndelivered(ctx)
    const outgoing = createOutgoing({ ctx, notices, undelivered })
    ctx.on(kernelHooks.beforeMail, (message) => layOut(ctx, message))
    ctx.on(kernelHooks.mailTried, undelivered.tried)
    ctx.on(kernelEvents.principalChanged, async ({ id }) => {
      const person = await ctx.host.credentials.find(id)
      if (person?.state === 'deleted') await outgoing.drop(id)
    })
    ctx.routes([...settingsRoutes(ctx), ...undeliveredRoutes(ctx, undelivered)])
    ctx.jobs.every('clean', 3600, async () => {
      await undelivered.clean()
      await outgoing.clean()
    })
    return { channel: createChannel(ctx, outgoing), matters: { look: () => mailMatters(ctx, undelivered) } }
  },
})
