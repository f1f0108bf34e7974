import type { Route } from '@stoa/sdk/server'
import type { View } from '../kernel/runtime/view.ts'

/** What was written last of each view. */
const written = new WeakMap<View, { name: string; url: string; text: string }>()

/** The API document of what is on now, as JSON: some hundred schemas are put together once, however many ask. */
export function openApiText(view: View, { name, url }: { name: string; url: string }): string {
  const known = written.get(view)
  if (known?.name === name && known.url === url) return known.text
  const text = JSON.stringify(openApi(view, { name, url }))
  written.set(view, { name, url, text })
  return text
}

/** From the routes' own schemas. */
function openApi(view: View, site: { name: string; url: string }): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const plugin of view.plugins) {
    for (const route of plugin.routes) {
      const path = route.path.replace(/:(\w+)(?:\([^)]*\))?/g, '{$1}')
      paths[path] ??= {}
      ;(paths[path] as Record<string, object>)[route.method.toLowerCase()] = operation(plugin.manifest.slug, route)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: site.name || 'Stoa', version: String(view.epoch) },
    servers: [{ url: site.url }],
    paths,
    components: { securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
  }
}

type Properties = { properties?: Record<string, object>; required?: string[] }

function parameters(place: 'query' | 'path', schema: Route['query']): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Properties
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }))
}

function operation(slug: string, route: Route): object {
  const envelope = {
    type: 'object',
    required: ['code', 'reason', 'msg', 'data'],
    properties: { code: { type: 'integer' }, reason: { type: 'string' }, msg: { type: 'string' }, data: route.reply },
  }
  return {
    tags: [slug],
    summary: route.summary,
    'x-access': route.access,
    ...(route.access === 'open' || route.access === 'visitor' || route.access === 'install' ? {} : { security: [{ session: [] }] }),
    parameters: [...parameters('path', route.params), ...parameters('query', route.query)],
    ...(route.body && {
      requestBody: { content: { [route.upload ? 'multipart/form-data' : 'application/json']: { schema: route.body } } },
    }),
    responses: {
      200: { description: 'success', content: { [route.raw ?? 'application/json']: { schema: route.raw ? route.reply : envelope } } },
    },
  }
}
