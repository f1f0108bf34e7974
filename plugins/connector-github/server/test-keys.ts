import type { ServerContext } from '@stoa/sdk/server'
import { settingsOf } from './settings.ts'

/**
 * Offers GitHub a code that nobody was given: right keys are refused for the code, wrong ones for themselves.
 * @returns keys of texts by field; undefined where the keys are right
 */
export async function testKeys(ctx: ServerContext, values: Record<string, unknown>): Promise<Record<string, string> | undefined> {
  const { base_url, client_id, client_secret } = settingsOf(values)
  if (client_id === '') return undefined
  try {
    const reply = await ctx.host.fetch(`${base_url}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'user-agent': 'Stoa', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id, client_secret, code: 'none' }).toString(),
    })
    if (reply.status === 404) return { client_id: 'connector_github.error.unknown' }
    const { error } = (await reply.json()) as { error?: unknown }
    if (error === 'incorrect_client_credentials') return { client_secret: 'connector_github.error.refused' }
    if (reply.ok && typeof error === 'string') return undefined
    throw new Error(`answered ${reply.status}`)
  } catch (error) {
    ctx.log.warn('GitHub does not answer as it should', { error: (error as Error).message })
    return { base_url: 'connector_github.error.unreachable' }
  }
}
