import { defineServerPlugin, kernelHooks } from '@stoa/sdk/server'
import { confirmation, confirmers, personalData } from '../../accounts/shared/api.ts'
import { createFactor } from './factor.ts'
import { twoFactorRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { confirmation },
  provides: { confirmers, personalData },
  activate({ confirmation }, ctx) {
    const capabilities = { ctx, confirmation }
    const factor = createFactor(capabilities)
    ctx.host.holdBackStaff(() => ctx.plugin.settings.get<{ staff: boolean }>().staff)
    ctx.plugin.settings.onSave(async ({ staff }) => {
      const person = ctx.host.request()?.person
      // Otherwise nobody may be left who can take it back.
      return staff && person && !(await factor.isOn(person.id)) ? { staff: 'two_factor.staff.you_first' } : undefined
    })
    ctx.routes(twoFactorRoutes(capabilities, factor))
    ctx.on(kernelHooks.switching, async (notes, { off }) => {
      const count = off.includes(ctx.plugin.slug) ? await factor.countPeople() : 0
      return count === 0 ? undefined : [...notes, { text: 'two_factor.goes', params: { count } }]
    })
    return {
      confirmers: { confirmers: factor.confirmers },
      personalData: {
        // The secret and the codes open the account: no copy of them leaves the site.
        async export(personId, archive) {
          const since = (await factor.find(personId))?.enabled_at ?? 0
          if (since > 0) await archive.records('two-factor', [{ since, recovery_left: await factor.countRecovery(personId) }])
        },
        async erase({ personId }) {
          await factor.remove(personId)
        },
      },
    }
  },
})
