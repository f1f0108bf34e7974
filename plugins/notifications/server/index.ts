import { defineServerPlugin } from '@stoa/sdk/server'
import { accountEvents, personalData } from '../../accounts/shared/api.ts'
import { channels, noticeFilters, noticeLive, notices } from '../shared/api.ts'
import { startDeliveries } from './deliveries.ts'
import { personalNotices } from './personal-data.ts'
import { noticeRoutes } from './routes.ts'
import { createNotices } from './tell.ts'
import { tidy } from './tidy.ts'

const DAY = 86_400

export default defineServerPlugin({
  wants: { channels, filters: noticeFilters },
  provides: { notices, personalData },
  activate({ channels, filters }, ctx) {
    const capabilities = { ctx, channels, filters }
    ctx.routes(noticeRoutes(capabilities))
    startDeliveries(capabilities)
    ctx.live.open(noticeLive.status, ({ person, topic }) => person !== null && topic === String(person.id))
    ctx.jobs.every('tidy', DAY, () => tidy(ctx))
    const notices = createNotices(capabilities)
    ctx.on(accountEvents.reputationChanged, async ({ personId, delta, objectId }, { id }) => {
      const object = ctx.ids.decode(objectId)
      if (!object) return
      const { kind, n } = object
      await notices.tell({ kind: 'notifications.reputation', to: [personId], key: `${id}`, object: { kind, n }, amount: delta })
    })
    return { notices, personalData: personalNotices(ctx) }
  },
})
