import { defineServerPlugin } from '@stoa/sdk/server'
import { centrePeople, personalData, userCentre } from '../../accounts/shared/api.ts'
import { weCom, weComMethod } from '../../connector-wecom/shared/api.ts'
import { matters } from '../../dashboard/shared/api.ts'
import { createBrake } from './brake.ts'
import { createFacts } from './facts.ts'
import { testConnection } from './test-connection.ts'

const RUN_SECONDS = 900
const HOUR = 3600

interface Settings {
  label: string
  original_accounts: boolean
  status_from_company: boolean
  show_departments: boolean
  believe_once: boolean
  sync_hours: number
}

export default defineServerPlugin({
  needs: { weCom, centrePeople },
  provides: { userCentre, personalData, matters },
  activate({ weCom, centrePeople }, ctx) {
    const settings = () => ctx.plugin.settings.get<Settings>()
    const brake = createBrake(ctx)
    const facts = createFacts(ctx, { weCom, people: centrePeople, brake }, () => ({
      seconds: Number(settings().sync_hours) * HOUR,
      ownsStatus: settings().status_from_company,
      showsDepartments: settings().show_departments,
      believesAll: settings().believe_once,
    }))
    ctx.plugin.settings.onSave(({ sync_hours: hours }) =>
      Number.isInteger(Number(hours)) && Number(hours) >= 1 && Number(hours) <= 720
        ? undefined
        : { sync_hours: 'user_center_wecom.error.sync_hours' },
    )
    ctx.plugin.settings.onTest(({ show_departments }) => testConnection(ctx, weCom, centrePeople, show_departments === true))
    ctx.jobs.every('user-center-wecom.refresh', RUN_SECONDS, async () => {
      const { believe_once } = settings()
      const isWhole = await facts.refresh()
      if (believe_once && isWhole) await ctx.plugin.settings.set({ believe_once: false })
    })
    return {
      userCentre: {
        name: 'WeCom',
        displayName: () => settings().label.trim() || 'WeCom',
        icon: '',
        url: 'https://work.weixin.qq.com',
        method: weComMethod,
        keepsOwnLogins: () => settings().original_accounts,
        brandingOf: async (personId) => (settings().show_departments ? facts.departmentsOf(personId) : []),
      },
      matters: { look: brake.matters },
      personalData: {
        async export(personId, archive) {
          const row = await facts.of(personId)
          if (row) await archive.records('wecom', [row])
        },
        erase: ({ personId }) => facts.forget(personId),
      },
    }
  },
})
