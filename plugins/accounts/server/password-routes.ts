import type { Route } from '@stoa/sdk/server'
import { fieldErrors, route } from '@stoa/sdk/server'
import { accountCalls, accountErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { atField } from './account-tools.ts'
import { ownNames, refuseCommon } from './common-passwords.ts'
import { held } from './held.ts'
import { guessesOfPerson, limitMailsTo, mailsOfAddress } from './rules.ts'

/** Changing a known password, and replacing a forgotten one by mail. */
export function passwordRoutes({ ctx, profiles, codes, confirming }: AccountTools): Route[] {
  return [
    route(accountCalls.changePassword, schemas.changePassword, {
      access: 'active',
      summary: 'Change the own password; other sessions end',
      limit: guessesOfPerson,
      handle: async ({ body, person, token }) => {
        const { id } = person
        const principal = await ctx.host.credentials.find(id)
        if (principal?.hasPassword) {
          if (!body.old_pass) throw fieldErrors({ old_pass: 'validation.required' })
          if (!(await ctx.host.credentials.checkPassword(id, body.old_pass)))
            throw atField(accountErrors.old_password_verification_failed, 'old_pass')
          if (body.old_pass === body.pass) throw accountErrors.new_password_same_as_previous_setting()
        }
        if (!principal?.hasPassword || principal.needsMore) await confirming.service.require({ person, token })
        await refuseCommon(body.pass, principal && (await ownNames(profiles, principal)))
        const password = await ctx.host.credentials.hash(body.pass)
        await ctx.db.write(async () => {
          const present = await held(ctx, id)
          // The password that was given may be the present one no more.
          if (present?.revision !== principal?.revision) throw atField(accountErrors.old_password_verification_failed, 'old_pass')
          await ctx.host.credentials.setPassword(id, password)
          await ctx.host.credentials.closeSessions(id, token ?? undefined)
        })
      },
    }),
    route(accountCalls.resetPassword, schemas.resetPassword, {
      access: 'open',
      whileClosed: true,
      summary: 'Mail a link to set a new password; the reply is the same for unknown addresses',
      limit: mailsOfAddress,
      form: { to: '/users/account-recovery?sent', keeps: ['e_mail'] },
      handle: async ({ body }) => {
        const address = body.e_mail.trim().toLowerCase()
        await limitMailsTo(ctx, address)
        await codes.recover(address)
      },
    }),
    route(accountCalls.replacePassword, schemas.replacePassword, {
      access: 'open',
      whileClosed: true,
      summary: 'Set a new password by the mailed code; all sessions end',
      limit: { action: 'password.replace', max: 20, seconds: 600, by: 'address', countsStaff: true },
      form: {
        to: '/users/password-reset?done',
        check: ({ pass, again }): Record<string, string> => (pass === again ? {} : { again: 'accounts.password_differs' }),
      },
      handle: async ({ body }) => {
        await refuseCommon(body.pass)
        const password = await ctx.host.credentials.hash(body.pass)
        await ctx.db.write(async () => {
          const { principal } = await codes.redeem(body.code, 'reset')
          // Only now is known whose it is. A refusal gives the code back.
          await refuseCommon(body.pass, await ownNames(profiles, principal))
          await ctx.host.credentials.setPassword(principal.id, password)
          await ctx.host.credentials.closeSessions(principal.id)
        })
      },
    }),
  ]
}
