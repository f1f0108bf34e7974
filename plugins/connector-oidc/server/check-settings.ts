import { isDeepStrictEqual } from 'node:util'
import type { ServerContext } from '@stoa/sdk/server'
import type { Discovery } from './discovery.ts'
import type { Place, Provider } from './settings.ts'
import { fieldOf, providersIn, wrongIn } from './settings.ts'

/**
 * What does not work does not replace what does. Only what differs from what is stored is asked: a provider that is down now keeps nobody from entering
 * another. @returns field → text key
 */
export async function checkSettings(
  values: Record<string, unknown>,
  stored: Record<string, unknown>,
  { discover }: Discovery,
  log: ServerContext['log'],
): Promise<Record<string, string> | undefined> {
  const providers = providersIn(values)
  const wrong = wrongIn(providers)
  if (Object.keys(wrong).length > 0) return wrong
  const before = providersIn(stored)
  const isNew = ([place, provider]: [Place, Provider]) => !isDeepStrictEqual(before.get(place), provider)
  const ask = async ([place, provider]: [Place, Provider]) => {
    try {
      await discover(provider)
    } catch (error) {
      log.warn('the issuer does not answer as one', { issuer: provider.issuer, error: (error as Error).message })
      wrong[fieldOf('issuer', place)] = 'connector_oidc.error.unreachable'
    }
  }
  await Promise.all([...providers].filter(isNew).map(ask))
  return wrong
}
