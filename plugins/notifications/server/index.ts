import { defineServerPlugin } from '@stoa/sdk/server'
import { channels, noticeLive, notices } from '../shared/api.ts'
import { dropOldDeliveries, startDeliveries } from './deliveries.ts'
import { createNotices } from './tell.ts'

const DAY = 86_400

export default defineServerPlugin({
  wants: { channels },
  provides: { notices },
  activate({ channels }, ctx) {
    const capabilities = { ctx, channels }
    startDeliveries(capabilities)
    ctx.live.open(noticeLive.status, ({ person, topic }) => person !== null && topic === String(person.id))
    ctx.jobs.every('tidy', DAY, () => dropOldDeliveries(ctx))
    return { notices: createNotices(capabilities) }
  },
})
