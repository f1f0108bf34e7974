/** What an owner would have to change so that a PostgreSQL server lets the site in. */
export type WhyRefused =
  | 'host'
  | 'port'
  | 'silent'
  | 'stranger'
  | 'encryption'
  | 'password'
  | 'name'
  | 'permission'
  | 'full'
  | 'old'
  | 'unknown'

/** By the code of the driver, the system or the server; the server's words depend on its language. */
const byCode = new Map<string, WhyRefused>([
  ['ENOTFOUND', 'host'],
  ['EAI_AGAIN', 'host'],
  ['EHOSTUNREACH', 'host'],
  ['ENETUNREACH', 'host'],
  ['ERR_INVALID_URL', 'host'],
  ['ECONNREFUSED', 'port'],
  ['ETIMEDOUT', 'silent'],
  ['ECONNRESET', 'stranger'],
  ['28P01', 'password'],
  ['28000', 'password'],
  ['3D000', 'name'],
  ['42501', 'permission'],
  ['53300', 'full'],
  ['57P03', 'full'],
])

/** The first server version that has everything the site asks for. */
export const OLDEST_POSTGRES = 13

/** A server that is too old. */
export class TooOld extends Error {
  readonly code = 'TOO_OLD'
  constructor(version: string) {
    super(`PostgreSQL ${version} is too old; version ${OLDEST_POSTGRES} or newer is needed`)
  }
}

/** Why a connection to PostgreSQL failed, as far as that can be told. */
export function whyRefused(error: unknown): WhyRefused {
  const { code, message = '', errors } = (error ?? {}) as { code?: string; message?: string; errors?: unknown[] }
  if (code === 'TOO_OLD') return 'old'
  // Tried by several addresses: the last one says as much as any.
  if (errors?.length && !byCode.has(code ?? '')) return whyRefused(errors.at(-1))
  if (code === '28000' && /SSL|encryption/i.test(message)) return 'encryption'
  if (code !== undefined) return byCode.get(code) ?? 'unknown'
  if (/timeout/i.test(message)) return 'silent'
  if (/terminated unexpectedly|Received unexpected|invalid response/i.test(message)) return 'stranger'
  if (/SSL/.test(message)) return 'encryption'
  return /password must be a string/i.test(message) ? 'password' : 'unknown'
}
