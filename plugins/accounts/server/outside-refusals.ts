import type { CodedError } from '@stoa/sdk/server'
import { defineErrors, isCodedError } from '@stoa/sdk/server'
import type { SignInRefusal } from '../shared/api.ts'

const PREFIX = 'error.accounts.outside'

/** Refusals of a login at another site: they lead back to a page that names them. */
export const outsideRefusals = defineErrors(PREFIX, {
  closed: { status: 403, message: 'Registration is closed' },
  denied: { status: 403, message: 'The person said no at the other site' },
  domain: { status: 403, message: 'Addresses of this domain are not accepted' },
  failed: { status: 403, message: 'The other site proved nobody' },
  elsewhere: { status: 403, message: 'The login was begun by a page of another site' },
  expired: { status: 403, message: 'The login was not begun in this browser, is used or too old' },
  other_person: { status: 403, message: 'Somebody else is logged in than the one who began' },
  second: { status: 403, message: 'The person has another login of this method' },
  suspended: { status: 403, message: 'The person is suspended' },
  taken: { status: 403, message: 'The address or the identity is of somebody else' },
  unavailable: { status: 403, message: 'The method is not offered now' },
}) satisfies Record<SignInRefusal, () => CodedError>

/** Pages that name refusals. */
export const refusalPages = { login: '/users/login', bind: '/users/settings/account' } as const

/** The page that names a refusal; every other error goes on. */
export function refusedAt(page: string, error: unknown): string {
  const reason = refusalOf(error)
  if (reason === undefined) throw error
  return `${page}?refused=${reason}`
}

/**
 * A link of another site led here. A login is begun by nobody but the person, and a browser that comes from there is given no mark by which it would be
 * known again.
 */
export const isLedFromElsewhere = ({ headers }: { headers: Record<string, unknown> }): boolean => headers['sec-fetch-site'] === 'cross-site'

/** The page where the person presses the button. */
export const askedAgain = (next = ''): string =>
  `${refusalPages.login}?${new URLSearchParams({ refused: 'elsewhere', ...(next !== '' && { next }) })}`

/** @returns undefined for every other error */
export function refusalOf(error: unknown): SignInRefusal | undefined {
  const code = isCodedError(error) ? error.code : ''
  return code.startsWith(`${PREFIX}.`) ? (code.slice(PREFIX.length + 1) as SignInRefusal) : undefined
}
