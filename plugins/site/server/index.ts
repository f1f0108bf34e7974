import { defineServerPlugin, kernelHooks } from '@stoa/sdk/server'
import { markdown as markdownToken, permissions as permissionsToken, siteSettings, standing as standingToken } from '../shared/api.ts'
import { machineRoutes } from './machine-routes.ts'
import { createMarkdown } from './markdown.ts'
import { createPermissions, permissionRules } from './permissions.ts'
import { privilegeRoutes } from './privilege-routes.ts'
import { publicRoutes } from './public-routes.ts'
import { createSettings } from './settings.ts'
import { settingsRoutes } from './settings-routes.ts'

/** Reputation that counts while nobody keeps it: enough to write, not to vote. */
const RANK_OF_NEWCOMERS = 1

export default defineServerPlugin({
  wants: { standing: standingToken },
  provides: { settings: siteSettings, permissions: permissionsToken, markdown: markdownToken },
  activate({ standing }, ctx) {
    const settings = createSettings(ctx)
    const markdown = createMarkdown(() => ctx.site.url)
    const rules = () => permissionRules(ctx)
    const permissions = createPermissions({
      rules,
      privileges: () => settings.get('privileges'),
      rankOf: async (id) => (await standing.current?.rankOf(id)) ?? RANK_OF_NEWCOMERS,
    })
    ctx.routes([
      ...publicRoutes(ctx, markdown),
      ...settingsRoutes(ctx, settings, markdown),
      ...privilegeRoutes(ctx, settings, rules),
      ...machineRoutes(ctx, settings),
    ])
    ctx.on(kernelHooks.installed, async ({ contactEmail, extra }) => {
      await settings.set('general', { contact_email: contactEmail })
      if (extra.external_content_display === 'ask_before_display')
        await settings.set('legal', { external_content_display: 'ask_before_display' })
    })
    return { settings, permissions, markdown }
  },
})
