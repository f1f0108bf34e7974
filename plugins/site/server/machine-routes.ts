import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { SiteSettings } from '../shared/api.ts'
import { siteCalls, siteHooks } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { servedCss } from './own-code.ts'
import { seoView } from './site-info.ts'

/** A stoa: a roof on three columns. */
const ownIcon = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0033ff"/>',
  '<path fill="#fff" d="M6 8h20v3H6zM8 12.500h3.500v10H8zm6.250 0h3.500v10h-3.500zm6.250 0H24v10h-3.500zM6 24h20v2.500H6z"/></svg>',
].join('')

/** Files that browsers and robots ask for at fixed addresses. */
export function machineRoutes(ctx: ServerContext, settings: SiteSettings): Route[] {
  return [
    route(siteCalls.css, schemas.file, {
      access: 'open',
      summary: "The owner's own CSS",
      raw: 'text/css; charset=utf-8',
      async handle(_request, reply) {
        const { custom_css } = await settings.get('custom-css-html')
        // Its address changes with it.
        reply.header('cache-control', 'public, max-age=86400')
        return servedCss(custom_css)
      },
    }),
    route(siteCalls.robots, schemas.file, {
      access: 'open',
      summary: 'What robots may visit',
      raw: 'text/plain; charset=utf-8',
      handle: async () => {
        const own = seoView(await settings.get('seo'), ctx.site.isPrivate).robots.trimEnd()
        return `${(await ctx.run(siteHooks.robots, [own])).join('\n')}\n`
      },
    }),
    route(siteCalls.icon, schemas.file, {
      access: 'open',
      summary: "The owner's icon, else one of ours",
      raw: 'image/svg+xml; charset=utf-8',
      handle: async (_request, reply) => {
        const { favicon, square_icon } = await settings.get('branding')
        const icon = favicon || square_icon
        reply.header('cache-control', 'public, max-age=3600')
        if (!icon) return ownIcon
        reply.status(302)
        reply.header('location', icon)
        return ''
      },
    }),
    route(siteCalls.manifest, schemas.file, {
      access: 'open',
      summary: 'Web app manifest: name, colours, icon',
      raw: 'application/manifest+json; charset=utf-8',
      handle: async () => {
        const [theme, branding] = [await settings.get('theme'), await settings.get('branding')]
        const icon = branding.square_icon || branding.favicon
        return JSON.stringify({
          name: ctx.site.name,
          short_name: ctx.site.name,
          lang: ctx.site.language.replace('_', '-'),
          start_url: '/',
          display: 'standalone',
          theme_color: theme.theme_config[theme.theme]?.primary_color ?? '#0033ff',
          background_color: '#ffffff',
          icons: [{ src: icon || siteCalls.icon.path, sizes: 'any' }],
        })
      },
    }),
  ]
}
