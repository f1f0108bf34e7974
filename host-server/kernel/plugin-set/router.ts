import type { HTTPMethod, HTTPVersion, Instance } from 'find-my-way'
import createRouter from 'find-my-way'
import { ROUTER_OPTIONS } from '../../shared/router-options.ts'
import type { Running } from '../runtime/view.ts'
import { PluginRejected } from './plugin-rejected.ts'

export type Router = Instance<HTTPVersion.V1>

/**
 * A fresh router over all routes of a set; it replaces the old one by assignment.
 * @throws with both slugs when two plugins claim the same call.
 */
export function buildRouter(plugins: readonly Running[]): Router {
  const router = createRouter(ROUTER_OPTIONS)
  const owners = new Map<string, string>()
  for (const plugin of plugins) {
    for (const route of plugin.routes) {
      const name = `${route.method} ${route.path}`
      try {
        router.on(route.method as HTTPMethod, route.path, () => undefined, plugin)
      } catch {
        throw new PluginRejected(plugin.manifest.slug, `${name} is already answered by ${owners.get(name) ?? 'another plugin'}`)
      }
      owners.set(name, plugin.manifest.slug)
    }
  }
  return router
}
