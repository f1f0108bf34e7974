import { createHash } from 'node:crypto'
import { networkOf } from '@stoa/sdk/server'

const LONGEST = 300

/**
 * What a limit counts by. An IPv6 address counts by its first 64 bits, as many as one customer gets at least; a text that is too long to be
 * stored as it is, or that PostgreSQL does not take for one, by its hash.
 */
export function limitKey(key: string): string {
  const network = networkOf(key)
  if (network !== key) return network
  return key.length > LONGEST || key.includes('\0') ? createHash('sha256').update(key).digest('base64url') : key
}
