import type { Person, Principal, RoleId, Route } from '@stoa/sdk/server'
import { accessErrors, fieldErrors, roles, route } from '@stoa/sdk/server'
import { accountCalls, accountErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { orTaken, refuseTaken } from './activate-person.ts'
import { addPeople, reportOn } from './add-people.ts'
import { adminPersonView } from './admin-person.ts'
import { changeState } from './change-state.ts'
import { cleanUp } from './clean-up.ts'
import { ownNames, refuseCommon } from './common-passwords.ts'
import { displayName } from './display-name.ts'
import { takeName } from './names.ts'
import { checkedUsername } from './profile-routes.ts'
import { adminPeople } from './read-tokens.ts'
import { noteAct, untilChange } from './staff-acts.ts'

/** People as the admin manages them. */
export function adminRoutes(tools: AccountTools): Route[] {
  const { ctx, profiles, codes, mails, suspensions } = tools

  /** @throws `error.user.not_found`; somebody deleted stays so */
  async function target(id: string): Promise<Principal> {
    const principal = /^\d{1,15}$/.test(id) ? await ctx.host.credentials.find(Number(id)) : undefined
    if (!principal || principal.state === 'deleted') throw accountErrors.not_found({ id })
    return principal
  }

  /**
   * Somebody about whom an admin decides, in the current transaction: both are held, and who asks is still an admin. Of two who take the role from each
   * other at once, the second has it no more.
   * @throws `error.user.not_found`, 403
   */
  async function decidedBy(actor: Person, id: number): Promise<Principal> {
    const both = await ctx.host.credentials.hold([actor.id, id])
    const [asks, principal] = [both.get(actor.id), both.get(id)]
    if (asks?.role !== roles.admin || asks.state !== 'normal') throw accessErrors.unauthorized_error({ role: 'admins' })
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
      handle: ({ body, person }) => addPeople(tools, body.users, person.id),
    }),
    route(accountCalls.checkPeople, schemas.checkPeople, {
      access: 'admin',
      summary: 'What is wrong with each line, before they are added',
      handle: ({ body }) => reportOn(tools, body.users),
    }),
    route(accountCalls.adminPerson, schemas.adminPerson, {
      access: 'admin',
      summary: 'One person with everything that an admin decides by',
      handle: async ({ query }) => adminPersonView(tools, await target(query.user_id)),
    }),
    route(accountCalls.endTheirSessions, schemas.endTheirSessions, {
      access: 'admin',
      summary: "Ends one of somebody's sessions, or all",
      handle: async ({ body, person, token }) => {
        const principal = await target(body.user_id)
        const { credentials } = ctx.host
        await ctx.db.write(async () => {
          if (body.id !== undefined) await credentials.endSession(principal.id, body.id)
          else await credentials.closeSessions(principal.id, principal.id === person.id ? (token ?? undefined) : undefined)
          await noteAct(tools, person.id, 'sessions_ended', principal)
        })
      },
    }),
    route(accountCalls.cleanUp, schemas.cleanUp, {
      access: 'staff',
      summary: 'Deletes all that a spammer wrote and suspends them, in one step',
      handle: async ({ body, person }) => cleanUp(tools, person, body.user_id, body.reason?.trim() ?? ''),
    }),
    route(accountCalls.setState, schemas.setState, {
      access: 'admin',
      summary: 'Suspend, delete, deactivate or restore somebody',
      handle: async ({ body, person }) => {
        const { id } = await target(body.user_id)
        if (id === person.id) throw accountErrors.cannot_modify_self_status()
        const state = body.status as Principal['state']
        const sentence = { until: state === 'suspended' ? suspensions.endOf(body) : 0, reason: body.reason?.trim() }
        await ctx.db.write(async () => {
          const principal = await decidedBy(person, id)
          await noteAct(tools, person.id, `made_${state}`, principal, {
            ...(sentence.reason && { note: sentence.reason }),
            changes: state === 'suspended' ? [untilChange(sentence.until)] : [],
          })
          await changeState(tools, principal, state, body.remove_all_content === true, sentence)
        })
      },
    }),
    route(accountCalls.setRole, schemas.setRole, {
      access: 'admin',
      summary: 'Give somebody a role; their sessions end',
      handle: async ({ body, person }) => {
        const { id } = await target(body.user_id)
        if (id === person.id) throw accountErrors.cannot_update_your_role()
        const role = Number(body.role_id) as RoleId
        await ctx.db.write(async () => {
          const principal = await decidedBy(person, id)
          await ctx.host.credentials.setRole(principal.id, role)
          await ctx.host.credentials.closeSessions(principal.id)
          await profiles.ensure(principal)
          await profiles.follow({ ...principal, role })
          const changes = [
            { field: 'accounts.audit.role', from: { text: `role.${principal.role}.name` }, to: { text: `role.${role}.name` } },
          ]
          await noteAct(tools, person.id, 'role_changed', principal, { changes })
        })
      },
    }),
    route(accountCalls.setPassword, schemas.setPassword, {
      access: 'admin',
      summary: "Set somebody's password; their sessions end",
      handle: async ({ body, person }) => {
        const found = await target(body.user_id)
        const { id } = found
        if (id === person.id) throw accountErrors.cannot_update_their_password()
        await refuseCommon(body.password, await ownNames(profiles, found), 'password')
        const password = await ctx.host.credentials.hash(body.password)
        await ctx.db.write(async () => {
          const principal = await decidedBy(person, id)
          await ctx.host.credentials.setPassword(id, password)
          await ctx.host.credentials.closeSessions(id)
          await noteAct(tools, person.id, 'password_set', principal)
        })
      },
    }),
    route(accountCalls.setProfile, schemas.setProfile, {
      access: 'admin',
      summary: "Correct somebody's names and address",
      handle: async ({ body, person }) => {
        const found = await target(body.user_id)
        const address = body.email.trim().toLowerCase()
        const name = displayName(body.display_name)
        if (name.length < 3) throw fieldErrors({ display_name: 'validation.min_length' }, { limit: 3 })
        await refuseTaken(ctx, address, found.id, 'email')
        const present = await profiles.ensure(found)
        const username =
          body.username === undefined ? undefined : await checkedUsername(tools, found.id, body.username, present.username, true)
        await ctx.db.write(async (tx) => {
          const principal = await decidedBy(person, found.id)
          if (address !== principal.login) await ctx.host.credentials.setLogin(principal.id, address).catch(orTaken('email'))
          if (username) await takeName(tx, principal.id, username.username, ctx.now())
          await tx
            .updateTable('accounts__profile')
            .set({ display_name: name, display_lower: name.toLowerCase(), ...username })
            .where('id', '=', principal.id)
            .execute()
          await profiles.follow({ ...principal, login: address })
          const changes = [
            { field: 'accounts.audit.display_name', from: present.display_name, to: name },
            { field: 'accounts.audit.username', from: present.username, to: username?.username ?? present.username },
            { field: 'accounts.audit.email', from: principal.login, to: address },
          ].filter(({ from, to }) => from !== to)
          if (changes.length > 0) await noteAct(tools, person.id, 'profile_changed', principal, { changes })
        })
      },
    }),
    route(accountCalls.activationLink, schemas.activationLink, {
      access: 'admin',
      summary: 'A fresh activation link, to be handed over by the admin',
      handle: async ({ query, person }) => {
        const principal = await inactive(query.user_id)
        await noteAct(tools, person.id, 'link_made', principal)
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
