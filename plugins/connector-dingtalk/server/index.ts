import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { createMethod } from './method.ts'
import { settingsOf, wrongIn } from './settings.ts'
import { testKeys } from './test-keys.ts'

export default defineServerPlugin({
  provides: { signInMethods },
  activate(_, ctx) {
    const method = createMethod(ctx, () => settingsOf(ctx.plugin.settings.get()))
    ctx.plugin.settings.onSave((values) => wrongIn(settingsOf(values)))
    ctx.plugin.settings.onTest((values) => testKeys(ctx, values))
    return { signInMethods: { methods: () => [method] } }
  },
})
