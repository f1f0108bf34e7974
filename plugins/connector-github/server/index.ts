import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { createMethod } from './method.ts'
import { checkSettings } from './settings.ts'

export default defineServerPlugin({
  provides: { signInMethods },
  activate(_, ctx) {
    const method = createMethod(ctx)
    ctx.plugin.settings.onSave(checkSettings)
    return { signInMethods: { methods: () => [method] } }
  },
})
