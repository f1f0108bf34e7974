import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { weCom } from '../shared/api.ts'
import { createClient, NOT_FROM_HERE, WeComError } from './client.ts'
import { createMethod } from './method.ts'
import { settingsOf, wrongIn } from './settings.ts'

const WRONG_COMPANY = 40_013

export default defineServerPlugin({
  provides: { signInMethods, weCom },
  activate(_, ctx) {
    const settings = () => settingsOf(ctx.plugin.settings.get())
    const { client, tryKeys } = createClient(ctx, settings)
    const method = createMethod(ctx, settings, client)
    ctx.plugin.settings.onSave((values) => wrongIn(settingsOf(values)))
    ctx.plugin.settings.onTest(async (values): Promise<Record<string, string> | undefined> => {
      const given = settingsOf(values)
      if (given.corp_id === '') return undefined
      try {
        await tryKeys(given)
      } catch (error) {
        ctx.log.warn('WeCom refuses these settings', { error: (error as Error).message })
        if (!(error instanceof WeComError)) return { api_url: 'connector_wecom.error.unreachable' }
        if (error.errcode === NOT_FROM_HERE) return { agent_id: 'connector_wecom.error.address' }
        return error.errcode === WRONG_COMPANY
          ? { corp_id: 'connector_wecom.error.company' }
          : { corp_secret: 'connector_wecom.error.refused' }
      }
      return undefined
    })
    return { signInMethods: { methods: () => [method] }, weCom: client }
  },
})
