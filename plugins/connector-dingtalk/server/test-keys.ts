import type { ServerContext } from '@stoa/sdk/server'
import { settingsOf } from './settings.ts'

/**
 * Offers DingTalk a code that nobody was given. It says so of wrong keys; whatever else it says of the code, it is there.
 * @returns keys of texts by field; undefined where nothing is known to be wrong
 */
export async function testKeys(ctx: ServerContext, values: Record<string, unknown>): Promise<Record<string, string> | undefined> {
  const { api_url, client_id: clientId, client_secret: clientSecret } = settingsOf(values)
  if (clientId === '') return undefined
  try {
    const reply = await ctx.host.fetch(new URL('/v1.0/oauth2/userAccessToken', api_url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret, code: 'none', grantType: 'authorization_code' }),
    })
    const { code } = (await reply.json()) as { code?: unknown }
    if (typeof code !== 'string' || reply.status >= 500) throw new Error(`answered ${reply.status}`)
    return code === 'invalidClientIdOrSecret' ? { client_secret: 'connector_dingtalk.error.refused' } : undefined
  } catch (error) {
    ctx.log.warn('DingTalk does not answer as it should', { error: (error as Error).message })
    return { api_url: 'connector_dingtalk.error.unreachable' }
  }
}
