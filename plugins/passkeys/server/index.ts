import { defineServerPlugin } from '@stoa/sdk/server'
import { confirmation, confirmers, personalData, waysIn } from '../../accounts/shared/api.ts'
import { createPasskeys } from './passkeys.ts'
import { passkeyRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { confirmation },
  provides: { confirmers, personalData, waysIn },
  activate({ confirmation }, ctx) {
    const capabilities = { ctx, confirmation }
    const passkeys = createPasskeys(capabilities)
    ctx.routes(passkeyRoutes(capabilities, passkeys))
    return {
      confirmers: { confirmers: [passkeys.confirmer] },
      waysIn: { letsIn: passkeys.letsIn },
      personalData: {
        async export(personId, archive) {
          const rows = await passkeys.listOf(personId)
          if (rows.length > 0)
            await archive.records(
              'passkeys',
              rows.map(({ name, created_at, last_used_at }) => ({ name, created_at, last_used_at })),
            )
        },
        erase: ({ personId }) => passkeys.removeAll(personId),
      },
    }
  },
})
