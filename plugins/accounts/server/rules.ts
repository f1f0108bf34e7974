import type { RouteLimit, ServerContext } from '@stoa/sdk/server'
import { accountErrors } from '../shared/api.ts'

/** The part behind the `@` must be one of the list, exactly; an empty list allows all. @throws `error.email.illegal_email_domain_error` */
export function refuseDomain(address: string, allowed: string[] | null): void {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (allowed && allowed.length > 0 && !allowed.includes(domain)) throw accountErrors.illegal_email_domain_error({ domain })
}

/** Tries of a person to name their own password, right or wrong. */
export const guessesOfPerson: RouteLimit = { action: 'password', max: 10, seconds: 1800, by: 'person', countsStaff: true }

/** Second steps and passkeys tried from one network. */
export const proofsOfAddress: RouteLimit = { action: 'proof', max: 60, seconds: 600, by: 'address', countsStaff: true }

/** Mailed codes that one network tries. */
export const codesOfAddress: RouteLimit = { action: 'code', max: 60, seconds: 600, by: 'address', countsStaff: true }

/** Looks at codes that wait to be scanned: thirty a minute each, of a whole office. */
export const looksOfAddress: RouteLimit = { action: 'code.look', max: 6000, seconds: 600, by: 'address', countsStaff: true }

/** Mails that one network asks for. */
export const mailsOfAddress: RouteLimit = { action: 'mail.address', max: 60, seconds: 3600, by: 'address' }

/** Mails to one address; only the body names it. @throws `base.too_many_requests` */
export async function limitMailsTo(ctx: Pick<ServerContext, 'host'>, address: string): Promise<void> {
  await ctx.host.limit('mail', { key: address, max: 10, seconds: 3600 })
}
