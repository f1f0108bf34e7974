import { defineServerPlugin } from '@stoa/sdk/server'
import { signInMethods } from '../../accounts/shared/api.ts'
import { createDiscovery } from './discovery.ts'
import { methodOf } from './method.ts'
import { providersIn, wrongIn } from './settings.ts'
import { testProviders } from './test-providers.ts'

export default defineServerPlugin({
  provides: { signInMethods },
  activate(_, ctx) {
    const { settings } = ctx.plugin
    const discovery = createDiscovery(ctx)
    settings.onSave((values) => wrongIn(providersIn(values)))
    settings.onTest((values) => testProviders(providersIn(values), discovery, ctx.log))
    return { signInMethods: { methods: () => [...providersIn(settings.get())].map((one) => methodOf(...one, discovery)) } }
  },
})
