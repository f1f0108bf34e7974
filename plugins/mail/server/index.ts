import { defineServerPlugin, kernelEvents, kernelHooks } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { matters } from '../../dashboard/shared/api.ts'
import { channels, notices } from '../../notifications/shared/api.ts'
import { createChannel } from './channel.ts'
import { layOut } from './lay-out.ts'
import { mailMatters } from './matters.ts'
import { createOutgoing } from './outgoing.ts'
import { createPersonalData } from './personal-data.ts'
import { createRefused } from './refused.ts'
import { settingsRoutes } from './settings-routes.ts'
import { createUndelivered } from './undelivered.ts'
import { undeliveredRoutes } from './undelivered-routes.ts'

export default defineServerPlugin({
  wants: { notices },
  provides: { channel: channels, matters, data: personalData },
  activate({ notices }, ctx) {
    const undelivered = createUndelivered(ctx)
    const refused = createRefused(ctx)
    const outgoing = createOutgoing({ ctx, notices, undelivered, refused })
    ctx.on(kernelHooks.beforeMail, (message) => layOut(ctx, message))
    ctx.on(kernelHooks.mailTried, async (message, refusal) => {
      await undelivered.tried(message, refusal)
      await refused.tried(message, refusal)
    })
    ctx.on(kernelEvents.principalChanged, async ({ id }) => {
      const person = await ctx.host.credentials.find(id)
      if (person?.state !== 'deleted') return
      await outgoing.drop(id)
      await undelivered.forgetPerson(id)
      await refused.forget({ personId: id })
    })
    ctx.routes([...settingsRoutes(ctx, refused), ...undeliveredRoutes(ctx, undelivered, refused)])
    ctx.jobs.every('clean', 3600, async () => {
      await undelivered.clean()
      await outgoing.clean()
      await refused.clean()
    })
    return {
      channel: createChannel(ctx, outgoing, refused),
      matters: { look: () => mailMatters(ctx, undelivered) },
      data: createPersonalData({ outgoing, undelivered, refused }),
    }
  },
})
