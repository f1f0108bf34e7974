import type { ServerContext } from '@stoa/sdk/server'
import type { Configuration, CustomFetchOptions } from 'openid-client'
import { allowInsecureRequests, customFetch, discovery } from 'openid-client'
import type { Provider } from './settings.ts'

/** What the issuer says of itself is asked again after so long. */
const KNOWN_SECONDS = 600

/** What issuers say of themselves. */
export function createDiscovery(ctx: ServerContext) {
  const known = new Map<string, { until: number; configuration: Promise<Configuration> }>()

  const send = (url: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> =>
    ctx.host.fetch(url, {
      method,
      headers,
      ...(body !== null && body !== undefined && { body: body instanceof URLSearchParams ? body.toString() : String(body) }),
      ...(signal && { signal }),
    })

  const discover = ({ issuer, client_id, client_secret }: Provider): Promise<Configuration> =>
    discovery(new URL(issuer), client_id, client_secret || undefined, undefined, {
      [customFetch]: send,
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    })

  return {
    discover,
    /** As it was said lately. */
    configurationOf(provider: Provider): Promise<Configuration> {
      const of = JSON.stringify(provider)
      const found = known.get(of)
      if (found && found.until > ctx.now()) return found.configuration
      for (const [key, { until }] of known) if (until <= ctx.now()) known.delete(key)
      const fresh = { until: ctx.now() + KNOWN_SECONDS, configuration: discover(provider) }
      fresh.configuration.catch(() => {
        if (known.get(of) === fresh) known.delete(of)
      })
      known.set(of, fresh)
      return fresh.configuration
    },
  }
}
export type Discovery = ReturnType<typeof createDiscovery>
