import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { testSettings, wrongIn } from './check-settings.ts'
import { lookUp } from './directory.ts'
import { isComplete, settingsOf } from './settings.ts'

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="#3b5b92" stroke-width="2"><rect width="8" height="6" x="8" y="2" rx="1"/><rect width="8" height="6" x="2" y="16" rx="1"/><rect width="8" height="6" x="14" y="16" rx="1"/><path d="M12 8v4M6 16v-4h12v4"/></g></svg>',
)}`

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
      icon: ICON,
      get name() {
        return settings().label || 'LDAP'
      },
      usable: () => isComplete(settings()),
      check: ({ name, password }: { name: string; password: string }) => lookUp(settings(), name, password),
    } as const
    return { signInMethods: { methods: () => [method] } }
  },
})
