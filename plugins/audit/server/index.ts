import { defineServerPlugin, route } from '@stoa/sdk/server'
import { auditCalls, staffLog } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { loggedActions, logPage } from './read-log.ts'
import { createStaffLog } from './record.ts'
import { forgetOld } from './retention.ts'

const DAY = 86_400

export default defineServerPlugin({
  provides: { log: staffLog },
  activate(_, ctx) {
    ctx.plugin.settings.onSave(({ days }) =>
      Number.isInteger(Number(days)) && Number(days) >= 30 && Number(days) <= 36_500 ? undefined : { days: 'audit.days.wrong' },
    )
    ctx.routes([
      route.read(auditCalls.page, schemas.page, { access: 'admin', summary: 'What staff did, the last first', read: logPage }),
      route.read(auditCalls.actions, schemas.actions, {
        access: 'admin',
        summary: 'What the log can be filtered by',
        read: loggedActions,
        params: () => ({}),
      }),
    ])
    ctx.jobs.every('audit.forgetOld', DAY, () => forgetOld(ctx))
    return { log: createStaffLog(ctx) }
  },
})
