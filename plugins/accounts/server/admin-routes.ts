import type { Principal, RoleId, Route } from '@stoa/sdk/server'
import { fieldErrors, route } from '@stoa/sdk/server'
import { accountCalls, accountErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { orTaken, refuseTaken } from './activate-person.ts'
import { addPeople } from './add-people.ts'
import { changeState } from './change-state.ts'
import { refuseCommon } from './common-passwords.ts'
import { displayName } from './display-name.ts'
import { takeName } from './names.ts'
import { checkedUsername } from './profile-routes.ts'
import { adminPeople } from './read-tokens.ts'

/** People as the admin manages them. */
export function adminRoutes(tools: AccountTools): Route[] {
  const { ctx, profiles, codes, mails } = tools

  /** @throws `error.user.not_found`; somebody deleted stays so */
  async function target(id: string): Promise<Principal> {
    const principal = /^\d{1,15}$/.test(id) ? await ctx.host.credentials.find(Number(id)) : undefined
    if (!principal || principal.state === 'deleted') throw accountErrors.not_found({ id })
    return principal
  }

  async function inactive(id: string): Promise<Principal> {
    const principal = await target(id)
    if (principal.state !== 'inactive') throw accountErrors.already_active({ id, state: principal.state })
    return principal
  }

  return [
    route.read(accountCalls.adminPage, schemas.adminPage, {
      access: 'admin',
      summary: 'People, newest first',
      read: adminPeople,
    }),
    route(accountCalls.addPeople, schemas.addPeople, {
      access: 'admin',
      summary: 'Add people, one line each: name, email, password; all or none',
      handle: ({ body }) => addPeople(tools, body.users),
    }),
    route(accountCalls.setState, schemas.setState, {
      access: 'admin',
      summary: 'Suspend, delete, deactivate or restore somebody',
      handle: async ({ body, person }) => {
        const principal = await target(body.user_id)
        if (principal.id === person.id) throw accountErrors.cannot_modify_self_status()
        await changeState(tools, principal, body.status as Principal['state'], body.remove_all_content === true)
      },
    }),
    route(accountCalls.setRole, schemas.setRole, {
      access: 'admin',
      summary: 'Give somebody a role; their sessions end',
      handle: async ({ body, person }) => {
        const principal = await target(body.user_id)
        if (principal.id === person.id) throw accountErrors.cannot_update_your_role()
        const role = Number(body.role_id) as RoleId
        await ctx.db.write(async () => {
          await ctx.host.credentials.setRole(principal.id, role)
          await ctx.host.credentials.closeSessions(principal.id)
          await profiles.ensure(principal)
          await profiles.follow({ ...principal, role })
        })
      },
    }),
    route(accountCalls.setPassword, schemas.setPassword, {
      access: 'admin',
      summary: "Set somebody's password; their sessions end",
      handle: async ({ body, person }) => {
        const principal = await target(body.user_id)
        if (principal.id === person.id) throw accountErrors.cannot_update_their_password()
        await refuseCommon(body.password, [principal.login], 'password')
        await ctx.host.credentials.setPassword(principal.id, body.password)
        await ctx.host.credentials.closeSessions(principal.id)
      },
    }),
    route(accountCalls.setProfile, schemas.setProfile, {
      access: 'admin',
      summary: "Correct somebody's names and address",
      handle: async ({ body }) => {
        const principal = await target(body.user_id)
        const address = body.email.trim().toLowerCase()
        const name = displayName(body.display_name)
        if (name.length < 3) throw fieldErrors({ display_name: 'validation.min_length' }, { limit: 3 })
        await refuseTaken(ctx, address, principal.id, 'email')
        const present = await profiles.ensure(principal)
        const username =
          body.username === undefined ? undefined : await checkedUsername(tools, principal.id, body.username, present.username, true)
        await ctx.db.write(async (tx) => {
          if (address !== principal.login) await ctx.host.credentials.setLogin(principal.id, address).catch(orTaken('email'))
          if (username) await takeName(tx, principal.id, username.username, ctx.now())
          await tx
            .updateTable('accounts__profile')
            .set({ display_name: name, display_lower: name.toLowerCase(), ...username })
            .where('id', '=', principal.id)
            .execute()
          await profiles.follow({ ...principal, login: address })
        })
      },
    }),
    route(accountCalls.activationLink, schemas.activationLink, {
      access: 'admin',
      summary: 'A fresh activation link, to be handed over by the admin',
      handle: async ({ query }) => {
        const principal = await inactive(query.user_id)
        return { activation_url: mails.linkOf('activate', await codes.issue(principal, 'activate', principal.login)) }
      },
    }),
    route(accountCalls.mailActivation, schemas.mailActivation, {
      access: 'admin',
      summary: 'Mail the activation link',
      handle: async ({ body }) => {
        const principal = await inactive(body.user_id)
        await ctx.db.write(() => codes.send(principal, 'activate', principal.login, ctx.site.language))
      },
    }),
  ]
}
