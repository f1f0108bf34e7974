import type { ServerResponse } from 'node:http'
import type { PluginSet } from '../shared/types.ts'

const base: Record<string, string[]> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:'],
  'media-src': ["'self'"],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-src': [],
  'form-action': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** A source that plugins may ask for: a scheme or a host, nothing that opens the policy (`*`, keywords, other directives). */
const SOURCE = /^(https:|data:|blob:|wss:|(https|wss):\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?)$/i
const OPEN = new Set(['img-src', 'frame-src', 'connect-src', 'media-src', 'font-src'])

/** The policy of a set of plugins: strict, plus the sources its manifests declare. */
export function contentPolicy(set: PluginSet): string {
  const directives = new Map(Object.entries(base).map(([name, sources]) => [name, new Set(sources)]))
  for (const { manifest } of set.plugins) {
    for (const [name, sources] of Object.entries(manifest.csp ?? {})) {
      if (OPEN.has(name)) for (const source of sources) if (SOURCE.test(source)) directives.get(name)?.add(source)
    }
  }
  return [...directives]
    .filter(([, sources]) => sources.size > 0)
    .map(([name, sources]) => `${name} ${[...sources].join(' ')}`)
    .join('; ')
}

/** Headers of every document. */
export function secureDocument(res: ServerResponse, policy: string): void {
  res.setHeader('Content-Security-Policy', policy)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin')
  res.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()')
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
}
