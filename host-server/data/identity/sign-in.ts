import { createHmac, timingSafeEqual } from 'node:crypto'
import { baseErrors } from '@stoa/sdk'
import type { SignInAttempt } from '@stoa/sdk/server'
import { limitKey } from '../services/limit-key.ts'
import type { Limits } from '../services/limits.ts'
import { passwordMatches } from './passwords.ts'

/** Longest address that anybody has; what is longer, or holds characters nobody types, is nobody's. */
const LONGEST_LOGIN = 300
const LONGEST_PASSWORD = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const UNTYPED = /[\u0000-\u001f\u007f]/

/** The one form in which an address is limited, looked up, stored and logged. @returns undefined for what is none */
export function normalLogin(login: string): string | undefined {
  if (login.length > 4 * LONGEST_LOGIN) return undefined
  const name = login.trim().normalize('NFC').toLowerCase()
  return name === '' || name.length > LONGEST_LOGIN || UNTYPED.test(name) ? undefined : name
}

/** What a principal needs to sign in. */
interface Holder {
  id: number
  password_hash: string | null
}

type Limit = [action: string, key: string, max: number, seconds: number]

const limitsOfStrangers = (name: string | undefined, ip: string): Limit[] => [
  ['kernel.sign-in.network', ip, 100, 600],
  ...(name === undefined
    ? []
    : ([
        ['kernel.sign-in.pair', `${name} ${limitKey(ip)}`, 10, 600],
        ['kernel.sign-in.account', name, 100, 3600],
      ] satisfies Limit[])),
  ['kernel.sign-in', '', 2000, 600],
]

/**
 * Password sign-in that cannot be tried without end: by network, by account and network, by account from anywhere, and by everybody. A browser
 * in which the same person signed in before counts apart, so that no stranger's attempts keep the owner out. Successes do not count.
 */
export function createSignIn<H extends Holder>(find: (name: string) => Promise<H | undefined>, limits: Limits, isLimited: boolean) {
  return async ({ login, password, ip, browser }: SignInAttempt): Promise<{ holder: H; browser: string } | undefined> => {
    const name = normalLogin(login)
    const holder = name === undefined ? undefined : await find(name)
    const visit = isKnown(browser, holder)
    const counted: Limit[] = visit ? [['kernel.sign-in.browser', visit, 30, 600]] : limitsOfStrangers(name, ip)
    if (isLimited) {
      for (const [action, key, max, seconds] of counted)
        if (!(await limits.acquire(action, key, max, seconds))) throw baseErrors.too_many_requests({ action: 'sign-in', seconds })
    }
    const isRight = await passwordMatches(holder?.password_hash ?? null, password.slice(0, LONGEST_PASSWORD))
    if (!isRight || !holder || password.length > LONGEST_PASSWORD) return undefined
    if (isLimited) for (const [action, key] of counted) await limits.refund(action, key)
    return { holder, browser: markOf(holder) }
  }
}

/** Only who knows the stored password's hash can make it, and another password ends it. */
const signature = ({ id, password_hash }: Holder, since: string): string =>
  createHmac('sha256', password_hash ?? '')
    .update(`browser ${id} ${since}`)
    .digest('base64url')

/** What a browser keeps of a sign-in, so that it is known again: person, time, signature. It lets nobody in. */
export function markOf(holder: Holder): string {
  const since = Date.now().toString(36)
  return `${holder.id}.${since}.${signature(holder, since)}`
}

/** @returns for how many milliseconds the mark has been this person's; 0 for every other one */
export function knownFor(mark: string | undefined, holder: Holder): number {
  const since = isKnown(mark, holder)?.split('.')[1]
  return since === undefined ? 0 : Date.now() - Number.parseInt(since, 36)
}

/** @returns the name of the visit when the mark is this person's; undefined for every other one */
function isKnown(mark: string | undefined, holder: Holder | undefined): string | undefined {
  const [, id, since, signed] = /^(\d{1,16})\.([a-z0-9]{1,12})\.([\w-]{43})$/.exec(mark ?? '') ?? []
  if (!holder?.password_hash || since === undefined || signed === undefined || id !== String(holder.id)) return undefined
  return timingSafeEqual(Buffer.from(signature(holder, since)), Buffer.from(signed)) ? `${id}.${since}` : undefined
}
