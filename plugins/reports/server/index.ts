import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { awards } from '../../badges/shared/api.ts'
import { matters, statistics } from '../../dashboard/shared/api.ts'
import { reviewDesk } from '../../review/shared/api.ts'
import { moderated, permissions } from '../../site/shared/api.ts'
import { reportEvents } from '../shared/api.ts'
import { followObjects } from './follow.ts'
import { personalReports } from './personal-data.ts'
import { countOpen } from './read-open.ts'
import { reportRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { permissions },
  wants: { owners: moderated, awards, desk: reviewDesk, log: staffLog },
  provides: { personalData, statistics, matters },
  activate({ permissions, owners, awards, desk, log }, ctx) {
    const capabilities = { ctx, permissions, owners, desk, log }
    ctx.routes(reportRoutes(capabilities))
    followObjects(capabilities)
    ctx.on(reportEvents.created, async ({ personId }) => {
      await awards.current?.give('badges.first_flag', { personId })
    })
    const open = () => countOpen(ctx.db.query)
    return {
      personalData: personalReports(ctx),
      statistics: { figures: async () => [{ name: 'report_count', count: await open() }] },
      matters: {
        async look() {
          const count = await open()
          return count > 0 ? [{ text: 'reports.matter.open', params: { count }, tone: 'warning' as const, path: '/review' }] : []
        },
      },
    }
  },
})
