import { join } from 'node:path'
import { defineServerPlugin, kernelHooks, whoAsks } from '@stoa/sdk/server'
import {
  bins,
  markdown as markdownToken,
  permissions as permissionsToken,
  renderedTexts,
  rendering as renderingToken,
  siteHooks,
  siteSettings,
  standing as standingToken,
} from '../shared/api.ts'
import { excerpt } from './excerpt.ts'
import { machineRoutes } from './machine-routes.ts'
import { createRender, RENDERER } from './markdown.ts'
import { createPermissions, permissionRules } from './permissions.ts'
import { privilegeRoutes } from './privilege-routes.ts'
import { publicRoutes } from './public-routes.ts'
import { createRendering } from './rendering.ts'
import { createRenewal, legalTexts } from './renew-texts.ts'
import { createSettings } from './settings.ts'
import { settingsRoutes } from './settings-routes.ts'
import { createAddresses } from './site-addresses.ts'
import { urlTitle } from './url-title.ts'

/** Reputation that counts while nobody keeps it: enough to write, not to vote. */
const RANK_OF_NEWCOMERS = 1

export default defineServerPlugin({
  wants: { standing: standingToken, bins, rendered: renderedTexts },
  provides: { settings: siteSettings, permissions: permissionsToken, markdown: markdownToken, rendering: renderingToken },
  async activate({ standing, bins, rendered }, ctx) {
    const addresses = createAddresses(ctx)
    const settings = createSettings(ctx, addresses)
    const markdown = { render: createRender(addresses.all), excerpt, urlTitle }
    const rendering = createRendering({
      file: join(__dirname, 'worker.cjs'),
      markdown,
      addresses: addresses.all,
      prepare: (source) => ctx.run(siteHooks.beforeRender, source),
      caller: () => whoAsks(ctx.host.request()),
      warn: (message, details) => ctx.log.warn(message, details),
    })
    ctx.plugin.own(() => rendering.stop())
    const renewal = createRenewal({
      ctx,
      rendering,
      version: RENDERER,
      texts: () => [legalTexts(settings), ...rendered.current.map(({ service }) => service)],
    })
    const rules = () => permissionRules(ctx.host)
    const permissions = createPermissions({
      rules,
      privileges: () => settings.get('privileges'),
      rankOf: async (id) => (await standing.current?.rankOf(id)) ?? RANK_OF_NEWCOMERS,
    })
    ctx.routes([
      ...publicRoutes(ctx, rendering, bins),
      ...settingsRoutes(ctx, settings, rendering),
      ...privilegeRoutes(ctx, settings, rules),
      ...machineRoutes(ctx, settings),
    ])
    ctx.on(kernelHooks.installed, async ({ contactEmail, extra }) => {
      await renewal.beginHere()
      await settings.set('general', { contact_email: contactEmail })
      if (extra.external_content_display === 'ask_before_display')
        await settings.set('legal', { external_content_display: 'ask_before_display' })
      if (typeof extra.time_zone === 'string') await settings.set('interface', { time_zone: extra.time_zone })
    })
    await addresses.remember(ctx.site.url)
    await renewal.begin()
    return { settings, permissions, markdown, rendering }
  },
})
