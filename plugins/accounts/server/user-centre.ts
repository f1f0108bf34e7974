import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { roles } from '@stoa/sdk/server'
import type { CentrePeople, UserCentre, userCentre } from '../shared/api.ts'
import { accountCalls, centreErrors } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import type { Identities } from './identities.ts'
import type { AccountTables } from './tables.ts'

/** What belongs to the site's own logins, and ends while people come in by a user centre only. */
const OWN_LOGINS = [
  accountCalls.login,
  accountCalls.register,
  accountCalls.activate,
  accountCalls.sendActivation,
  accountCalls.changePassword,
  accountCalls.resetPassword,
  accountCalls.replacePassword,
  accountCalls.changeEmail,
  accountCalls.confirmEmail,
  accountCalls.addPeople,
  accountCalls.setPassword,
]

/** The directory that people belong to, if there is one that can be used now. */
export function createCentre(ctx: ServerContext<AccountTables>, identities: Identities, offered: Wanted<typeof userCentre>) {
  function current(): UserCentre | undefined {
    const centre = offered.current
    return centre && identities.method(centre.method) && centre
  }

  async function isOnlyWay(): Promise<boolean> {
    const centre = current()
    if (!centre || centre.keepsOwnLogins()) return false
    const admin = await ctx.db.query
      .selectFrom('accounts__identity')
      .innerJoin('accounts__profile', 'accounts__profile.id', 'accounts__identity.person_id')
      .select('person_id')
      .where('method', '=', centre.method)
      .where('role', '=', roles.admin)
      .where('state', '=', 'normal')
      .limit(1)
      .executeTakeFirst()
    return admin !== undefined
  }

  return {
    current,
    isOnlyWay,

    /** Refuses what belongs to the site's own logins while people come in by the user centre only. */
    guard: (routes: Route[]): Route[] =>
      routes.map((route) => {
        if (!OWN_LOGINS.some(({ method, path }) => route.method === method && route.path === path)) return route
        return {
          ...route,
          before: async (request) => {
            await route.before?.(request)
            if (await isOnlyWay()) throw centreErrors.centre_only()
          },
        }
      }),
  }
}
export type Centre = ReturnType<typeof createCentre>

/** For the plugin of a user centre. */
export function createCentrePeople({ ctx, profiles, suspensions, log }: AccountTools): CentrePeople {
  async function note(action: string, id: number): Promise<void> {
    const label = (await profiles.find(id))?.display_name ?? ''
    await log.current?.record({ actorId: 0, action, object: { kind: 'person', id: String(id), label, path: `/admin/users/${id}` } })
  }

  return {
    async boundTo(method, after, limit) {
      const rows = await ctx.db.query
        .selectFrom('accounts__identity')
        .select(['person_id', 'external_id'])
        .where('method', '=', method)
        .where('person_id', '>', after)
        .orderBy('person_id')
        .limit(limit)
        .execute()
      return rows.map(({ person_id, external_id }) => ({ personId: person_id, externalId: external_id }))
    },
    suspend: (personId) =>
      ctx.db.write(async () => {
        const principal = await ctx.host.credentials.find(personId)
        if (principal?.state !== 'normal' || principal.role === roles.admin) return false
        await suspensions.begin(principal, 0)
        await note('accounts.made_suspended', personId)
        return true
      }),
    restore: (personId) =>
      ctx.db.write(async () => {
        const principal = await ctx.host.credentials.find(personId)
        if (principal?.state !== 'suspended') return false
        await suspensions.end(principal)
        await note('accounts.made_normal', personId)
        return true
      }),
  }
}
