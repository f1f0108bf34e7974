import { defineServerPlugin } from '@stoa/sdk/server'
import { personalData } from '../../accounts/shared/api.ts'
import { staffLog } from '../../audit/shared/api.ts'
import { personalSaves, rememberSaves, savedSettingsRoutes } from './saved-settings.ts'

export default defineServerPlugin({
  wants: { log: staffLog },
  provides: { personalData },
  activate({ log }, ctx) {
    ctx.routes(savedSettingsRoutes(ctx))
    rememberSaves(ctx, log)
    return { personalData: personalSaves(ctx) }
  },
})
