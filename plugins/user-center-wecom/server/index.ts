import { defineServerPlugin } from '@stoa/sdk/server'
import { centrePeople, personalData, userCentre } from '../../accounts/shared/api.ts'
import { weCom, weComMethod } from '../../connector-wecom/shared/api.ts'
import { createFacts } from './facts.ts'

const RUN_SECONDS = 900
const HOUR = 3600

interface Settings {
  label: string
  original_accounts: boolean
  status_from_company: boolean
  show_departments: boolean
  sync_hours: number
}

export default defineServerPlugin({
  needs: { weCom, centrePeople },
  provides: { userCentre, personalData },
  activate({ weCom, centrePeople }, ctx) {
    const settings = () => ctx.plugin.settings.get<Settings>()
    const facts = createFacts(ctx, weCom, centrePeople, () => ({
      seconds: Number(settings().sync_hours) * HOUR,
      ownsStatus: settings().status_from_company,
    }))
    ctx.plugin.settings.onSave(({ sync_hours: hours }) =>
      Number.isInteger(Number(hours)) && Number(hours) >= 1 && Number(hours) <= 720
        ? undefined
        : { sync_hours: 'user_center_wecom.error.sync_hours' },
    )
    ctx.jobs.every('user-center-wecom.refresh', RUN_SECONDS, facts.refresh)
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
