import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { confirmingCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { guessesOfPerson, mailsOfAddress, proofsOfAddress } from './rules.ts'
import { signIn } from './sign-in.ts'

/** The second step of a login, signing in without a password, and confirming a session. */
export function confirmingRoutes(tools: AccountTools): Route[] {
  const { confirming } = tools
  return [
    route(confirmingCalls.pending, schemas.pendingLogin, {
      access: 'open',
      summary: 'What is asked for after the password in this browser; null where nothing is pending',
      handle: ({ headers }) => confirming.pending(headers.cookie),
    }),
    route(confirmingCalls.beginLogin, schemas.beginProof, {
      access: 'open',
      whileClosed: true,
      summary: 'Begin a proof for a login, such as a passkey',
      limit: proofsOfAddress,
      handle: ({ body, headers }, reply) => confirming.beginLogin(body, headers.cookie, reply),
    }),
    route(confirmingCalls.proveLogin, schemas.proveLogin, {
      access: 'open',
      whileClosed: true,
      summary: 'End a login by a code or another proof, in the browser that began it',
      limit: proofsOfAddress,
      form: { to: '/' },
      handle: async ({ body, headers }, reply) => {
        const view = await signIn(tools, await confirming.proveLogin(body, headers.cookie), headers.cookie, reply)
        confirming.forget(reply)
        return view
      },
    }),
    route(confirmingCalls.beginConfirm, schemas.beginProof, {
      access: 'member',
      summary: 'Begin to confirm the session, such as by a code that is mailed',
      limit: mailsOfAddress,
      handle: ({ body, person, language }, reply) => confirming.beginConfirm(body, person.id, language, reply),
    }),
    route(confirmingCalls.confirm, schemas.confirmSession, {
      access: 'member',
      summary: 'Confirm the session for ten minutes: who uses it is whose it is',
      limit: guessesOfPerson,
      handle: ({ body, person, token, headers }) => confirming.confirm(body, person.id, token ?? '', headers.cookie),
    }),
  ]
}
