import { defineServerPlugin } from '@stoa/sdk/server'
import { confirmation, confirmers, personalData } from '../../accounts/shared/api.ts'
import { createFactor } from './factor.ts'
import { twoFactorRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { confirmation },
  provides: { confirmers, personalData },
  activate({ confirmation }, ctx) {
    const capabilities = { ctx, confirmation }
    const factor = createFactor(capabilities)
    ctx.routes(twoFactorRoutes(capabilities, factor))
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
