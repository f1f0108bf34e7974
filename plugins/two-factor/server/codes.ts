import { createHash, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'

const PERIOD_SECONDS = 30
/** Steps before and after the present one that count too: clocks differ. */
const WINDOW = 1
const RECOVERY_CODES = 10
/** Without what is easily mistaken for something else. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const totp = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) })

/** 160 random bits, in base 32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** What apps read: as an address and drawn. */
export function enrolment(secret: string, issuer: string, label: string): { uri: string; qr: { size: number; path: string } } {
  const uri = totp(secret, issuer, label).toString()
  const { size, data } = encode(uri, { border: 2 })
  const path = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return { uri, qr: { size, path } }
}

/** @param now unix seconds @returns the step that the code belongs to; undefined for a wrong one */
export function stepOf(secret: string, typed: string, now: number): number | undefined {
  const token = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totp(secret).validate({ token, timestamp: now * 1000, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / PERIOD_SECONDS) + delta
}

/** Ten codes of 49 bits, as they are shown once. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${letters.slice(0, 5)}-${letters.slice(5)}`
  })

/** @returns undefined for what looks like no recovery code */
export function recoveryHash(personId: number, typed: string): string | undefined {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '')
  return /^[a-z2-9]{10}$/.test(letters) ? createHash('sha256').update(`recovery ${personId} ${letters}`).digest('base64url') : undefined
}
