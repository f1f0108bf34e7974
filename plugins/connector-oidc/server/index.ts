import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { checkSettings } from './check-settings.ts'
import { createDiscovery } from './discovery.ts'
import { methodOf } from './method.ts'
import { providersIn } from './settings.ts'

export default defineServerPlugin({
  provides: { signInMethods },
  activate(_, ctx) {
    const { settings } = ctx.plugin
    const discovery = createDiscovery(ctx)
    settings.onSave((values) => checkSettings(values, settings.get(), discovery, ctx.log))
    return { signInMethods: { methods: () => [...providersIn(settings.get())].map((one) => methodOf(...one, discovery)) } }
  },
})
