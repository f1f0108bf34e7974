import type { Person, Principal, RoleId, Route } from '@stoa/sdk/server'
import { fieldErrors, roles, route, Type } from '@stoa/sdk/server'
import { accountErrors } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { refuseTaken } from './activate-person.ts'
import { addPeople } from './add-people.ts'
import { changeState } from './change-state.ts'
import { displayName } from './display-name.ts'
import { checkedUsername } from './profile-routes.ts'
import { adminPeople } from './read-tokens.ts'
import { email, password, userId } from './schemas.ts'

const states = ['normal', 'suspended', 'deleted', 'inactive']

/** People as the admin manages them. */
export function adminRoutes(tools: AccountTools): Route[] {
  const { ctx, profiles, codes, mails } = tools

  /** @throws `error.user.not_found`; somebody deleted stays so */
  async function target(id: string): Promise<Principal> {
    const principal = /^\d{1,15}$/.test(id) ? await ctx.credentials.find(Number(id)) : undefined
    if (!principal || principal.state === 'deleted') throw accountErrors.not_found({ id })
    return principal
  }

  async function inactive(id: string): Promise<Principal> {
    const principal = await target(id)
    if (principal.state !== 'inactive') throw accountErrors.already_active({ id, state: principal.state })
    return principal
  }

  return [
    route({
      method: 'GET',
      path: '/answer/admin/api/users/page',
      access: 'admin',
      summary: 'People, newest first',
      query: Type.Object({
        page: Type.Integer({ minimum: 1, default: 1 }),
        page_size: Type.Integer({ minimum: 1, default: 10 }),
        query: Type.Optional(Type.String({ maxLength: 100 })),
        status: Type.Optional(Type.Enum(['', ...states])),
        staff: Type.Optional(Type.Boolean()),
      }),
      reply: Type.Object({
        count: Type.Integer(),
        list: Type.Array(
          Type.Object({
            user_id: Type.String(),
            created_at: Type.Integer(),
            deleted_at: Type.Integer(),
            suspended_at: Type.Integer(),
            username: Type.String(),
            e_mail: Type.String(),
            rank: Type.Integer(),
            status: Type.String(),
            display_name: Type.String(),
            avatar: Type.String(),
            role_id: Type.Integer(),
            role_name: Type.String(),
          }),
        ),
      }),
      read: adminPeople,
    }),
    route({
      method: 'POST',
      path: '/answer/admin/api/users',
      access: 'admin',
      summary: 'Add people, one line each: name, email, password; all or none',
      body: Type.Object({ users: Type.String({ minLength: 1, maxLength: 1_000_000 }) }),
      reply: Type.Null(),
      handle: ({ body }) => addPeople(tools, body.users),
    }),
    route({
      method: 'PUT',
      path: '/answer/admin/api/user/status',
      access: 'admin',
      summary: 'Suspend, delete, deactivate or restore somebody',
      body: Type.Object({ user_id: userId, status: Type.Enum(states), remove_all_content: Type.Optional(Type.Boolean()) }),
      reply: Type.Null(),
      handle: async ({ body, person }) => {
        const principal = await target(body.user_id)
        if (principal.id === (person as Person).id) throw accountErrors.cannot_modify_self_status()
        await changeState(tools, principal, body.status as Principal['state'], body.remove_all_content === true)
      },
    }),
    route({
      method: 'PUT',
      path: '/answer/admin/api/user/role',
      access: 'admin',
      summary: 'Give somebody a role; their sessions end',
      body: Type.Object({ user_id: userId, role_id: Type.Enum([roles.user, roles.admin, roles.moderator]) }),
      reply: Type.Null(),
      handle: async ({ body, person }) => {
        const principal = await target(body.user_id)
        if (principal.id === (person as Person).id) throw accountErrors.cannot_update_your_role()
        const role = Number(body.role_id) as RoleId
        await ctx.db.write(async () => {
          await ctx.credentials.setRole(principal.id, role)
          await ctx.credentials.closeSessions(principal.id)
          await profiles.ensure(principal)
          await profiles.follow({ ...principal, role })
        })
      },
    }),
    route({
      method: 'PUT',
      path: '/answer/admin/api/user/password',
      access: 'admin',
      summary: "Set somebody's password; their sessions end",
      body: Type.Object({ user_id: userId, password }),
      reply: Type.Null(),
      handle: async ({ body, person }) => {
        const principal = await target(body.user_id)
        if (principal.id === (person as Person).id) throw accountErrors.cannot_update_their_password()
        await ctx.credentials.setPassword(principal.id, body.password)
        await ctx.credentials.closeSessions(principal.id)
      },
    }),
    route({
      method: 'PUT',
      path: '/answer/admin/api/user/profile',
      access: 'admin',
      summary: "Correct somebody's names and address",
      body: Type.Object({
        user_id: userId,
        display_name: Type.String({ minLength: 3, maxLength: 30 }),
        username: Type.Optional(Type.String({ minLength: 3, maxLength: 30 })),
        email,
      }),
      reply: Type.Null(),
      handle: async ({ body }) => {
        const principal = await target(body.user_id)
        const address = body.email.trim().toLowerCase()
        const name = displayName(body.display_name)
        if (name.length < 3) throw fieldErrors({ display_name: 'validation.min_length' }, { limit: 3 })
        await refuseTaken(ctx, address, principal.id, 'email')
        const present = await profiles.ensure(principal)
        const username =
          body.username === undefined ? {} : await checkedUsername(tools, principal.id, body.username, present.username, true)
        await ctx.db.write(async (tx) => {
          if (address !== principal.login) await ctx.credentials.setLogin(principal.id, address)
          await tx
            .updateTable('accounts__profile')
            .set({ display_name: name, display_lower: name.toLowerCase(), ...username })
            .where('id', '=', principal.id)
            .execute()
          await profiles.follow({ ...principal, login: address })
        })
      },
    }),
    route({
      method: 'GET',
      path: '/answer/admin/api/user/activation',
      access: 'admin',
      summary: 'A fresh activation link, to be handed over by the admin',
      query: Type.Object({ user_id: userId }),
      reply: Type.Object({ activation_url: Type.String() }),
      handle: async ({ query }) => {
        const principal = await inactive(query.user_id)
        return { activation_url: mails.linkOf('activate', await codes.issue(principal, 'activate', principal.login)) }
      },
    }),
    route({
      method: 'POST',
      path: '/answer/admin/api/user/activation',
      access: 'admin',
      summary: 'Mail the activation link',
      body: Type.Object({ user_id: userId }),
      reply: Type.Null(),
      handle: async ({ body }) => {
        const principal = await inactive(body.user_id)
        await ctx.db.write(() => codes.send(principal, 'activate', principal.login, ctx.site.language))
      },
    }),
  ]
}
