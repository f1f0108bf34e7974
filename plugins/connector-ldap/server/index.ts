import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { testSettings, wrongIn } from './check-settings.ts'
import { lookUp } from './directory.ts'
import { isComplete, settingsOf } from './settings.ts'

export default defineServerPlugin({
  provides: { signInMethods },
  activate(_, ctx) {
    const settings = () => settingsOf(ctx.plugin.settings.get())
    ctx.plugin.settings.onSave((values) => wrongIn(settingsOf(values)))
    ctx.plugin.settings.onTest(async (values) => {
      const { wrong, cause } = await testSettings(settingsOf(values))
      if (cause) ctx.log.warn('the directory does not answer as it should', { error: cause.message })
      return wrong
    })
    const method = {
      shape: 'form',
      id: 'connector-ldap',
      get name() {
        return settings().label || 'LDAP'
      },
      usable: () => isComplete(settings()),
      check: ({ name, password }: { name: string; password: string }) => lookUp(settings(), name, password),
    } as const
    return { signInMethods: { methods: () => [method] } }
  },
})
