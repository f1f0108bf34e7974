import { job } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'
import { mailLanguage } from './mails.ts'
import type { Broker } from './sign-in-broker.ts'

/** Which login it is for; the code is made when the mail is sent, and stands in no queue. */
const addressMail = job<{ id: string; language: string }>('accounts.outside_mail')

/** Mails the proof of an address that somebody typed after a login at another site, or that there is an account already. */
export function createOutsideMail({ ctx, mails }: Pick<AccountTools, 'ctx' | 'mails'>, broker: Broker) {
  ctx.jobs.handle(addressMail, async ({ id, language }) => {
    const step = await broker.keyFor(id)
    if (!step) return
    const { address, identity } = step.kept
    const { provider } = broker.newsOf(step.method)
    const owner = await ctx.host.credentials.findByLogin(address)
    const to = { email: address, display_name: identity.displayName || identity.username || address, language, time_zone: '' }
    if (!owner) {
      const link = `${ctx.site.url}/users/confirm-email?code=${encodeURIComponent(step.key)}`
      return mails.tell('outside_address', { ...to, language: mailLanguage('', language) }, { link, provider })
    }
    await broker.drop(id)
    await mails.tell('outside_known', to, { link: `${ctx.site.url}/users/login`, provider })
  })
  return (id: string, language: string) => ctx.jobs.enqueue(addressMail, { id, language })
}
