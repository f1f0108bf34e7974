import { baseErrors } from '@stoa/sdk'
import { cachedFor, defineServerPlugin, escapeHtml, route } from '@stoa/sdk/server'
import { siteHooks } from '../../site/shared/api.ts'
import { addresses, sitemapCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'

/** Objects of a file. The protocol of sitemaps takes 50,000 addresses and 50 MB. */
const PER_FILE = 10_000

const about = { access: 'visitor', raw: 'application/xml; charset=utf-8' } as const
const KEPT_SECONDS = 3600

const document = (element: string, entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${element}>\n`

export default defineServerPlugin({
  wants: { sources: addresses },
  activate({ sources }, ctx) {
    const whole = (path: string) => escapeHtml(new URL(path, ctx.site.url).href)
    ctx.on(siteHooks.robots, (lines) => (ctx.site.isPrivate ? lines : [...lines, `Sitemap: ${new URL('/sitemap.xml', ctx.site.url).href}`]))
    ctx.routes([
      route(sitemapCalls.index, schemas.index, {
        ...about,
        summary: 'Files that name all public pages',
        async handle(_request, reply) {
          const files = await Promise.all(
            sources.current.map(async ({ service: source }) => {
              const count = Math.ceil((await source.last()) / PER_FILE)
              return Array.from(
                { length: count },
                (_, index) => `<sitemap><loc>${whole(`/sitemap/${source.name}-${index + 1}.xml`)}</loc></sitemap>`,
              )
            }),
          )
          reply.header('cache-control', cachedFor(KEPT_SECONDS, ctx.site))
          return document('sitemapindex', files.flat())
        },
      }),
      route(sitemapCalls.part, schemas.part, {
        ...about,
        summary: 'Public pages, with when they changed last',
        async handle({ params: { file } }, reply) {
          const [, name, number] = /^([a-z-]+)-(\d{1,9})\.xml$/.exec(file) ?? []
          const source = sources.current.find(({ service }) => service.name === name)?.service
          const after = (Number(number) - 1) * PER_FILE
          if (!source || !(after >= 0) || after >= (await source.last())) throw baseErrors.route_not_found()
          const pages = await source.between(after, after + PER_FILE)
          reply.header('cache-control', cachedFor(KEPT_SECONDS, ctx.site))
          return document(
            'urlset',
            pages.map(
              ({ path, changedAt }) => `<url><loc>${whole(path)}</loc><lastmod>${new Date(changedAt * 1000).toISOString()}</lastmod></url>`,
            ),
          )
        },
      }),
    ])
  },
})
