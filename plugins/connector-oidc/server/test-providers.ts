import type { ServerContext } from '@stoa/sdk/server'
import type { Discovery } from './discovery.ts'
import type { Place, Provider } from './settings.ts'
import { fieldOf } from './settings.ts'

/** @returns field → text key of those that do not answer as an issuer */
export async function testProviders(
  providers: ReadonlyMap<Place, Provider>,
  { discover }: Discovery,
  log: ServerContext['log'],
): Promise<Record<string, string>> {
  const wrong: Record<string, string> = {}
  const ask = async ([place, provider]: [Place, Provider]) => {
    try {
      await discover(provider)
    } catch (error) {
      log.warn('the issuer does not answer as one', { issuer: provider.issuer, error: (error as Error).message })
      wrong[fieldOf('issuer', place)] = 'connector_oidc.error.unreachable'
    }
  }
  await Promise.all([...providers].map(ask))
  return wrong
}
