import type { Principal, Route } from '@stoa/sdk/server'
import { fieldErrors, route } from '@stoa/sdk/server'
import { accountCalls, accountErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { atField } from './account-tools.ts'
import { activatePerson, refuseTaken } from './activate-person.ts'
import { codesOfAddress, guessesOfPerson, limitMailsTo, mailsOfAddress, refuseDomain } from './rules.ts'
import { signInByLink } from './sign-in.ts'

/** Changing the address: asked for with the password, proven by a link to the new one. */
export function emailRoutes(tools: AccountTools): Route[] {
  const { ctx, settings, codes, confirming } = tools
  return [
    route(accountCalls.changeEmail, schemas.changeEmail, {
      access: 'member',
      summary: 'Mail a link to a new address; somebody unactivated corrects a mistyped one without a password',
      limit: [guessesOfPerson, mailsOfAddress],
      handle: async ({ body, person, token, language }) => {
        const principal = (await ctx.host.credentials.find(person.id)) as Principal
        const address = body.e_mail.trim().toLowerCase()
        if (principal.state !== 'inactive' && principal.hasPassword) {
          if (!body.pass) throw fieldErrors({ pass: 'validation.required' })
          if (!(await ctx.host.credentials.checkPassword(principal.id, body.pass)))
            throw atField(accountErrors.old_password_verification_failed, 'pass')
        }
        if (principal.state !== 'inactive' && (principal.needsMore || !principal.hasPassword))
          await confirming.service.require({ person, token })
        refuseDomain(address, (await settings.get('login')).allow_email_domains)
        await refuseTaken(ctx, address, principal.state === 'inactive' ? principal.id : 0, 'e_mail')
        await limitMailsTo(ctx, address)
        const purpose = principal.state === 'inactive' ? 'activate' : 'change_email'
        await ctx.db.write(() => codes.send(principal, purpose, address, language))
      },
    }),
    route(accountCalls.confirmEmail, schemas.byCode, {
      access: 'open',
      summary: 'Take the new address by the mailed code, and log in',
      limit: codesOfAddress,
      handle: ({ body, headers }, reply) =>
        signInByLink(tools, headers.cookie, reply, async () => {
          const { principal, email: proven } = await codes.redeem(body.code, 'change_email')
          return activatePerson(tools, principal, proven)
        }),
    }),
  ]
}
