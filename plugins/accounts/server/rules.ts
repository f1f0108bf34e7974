import { accountErrors } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'

/** The part behind the `@` must be one of the list, exactly; an empty list allows all. @throws `error.email.illegal_email_domain_error` */
export function refuseDomain(address: string, allowed: string[] | null): void {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (allowed && allowed.length > 0 && !allowed.includes(domain)) throw accountErrors.illegal_email_domain_error({ domain })
}

/** Mails to one address and by one caller. @throws `base.too_many_requests` */
export async function limitMails(ctx: AccountTools['ctx'], address: string, ip: string): Promise<void> {
  await ctx.limit('mail', { key: address, max: 10, seconds: 3600 })
  await ctx.limit('mail.address', { key: ip, max: 60, seconds: 3600 })
}
