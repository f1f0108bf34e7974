import type { Principal, ServerContext } from '@stoa/sdk/server'
import { roles } from '@stoa/sdk/server'
import { accountErrors } from '../shared/api.ts'
import type { Erasures } from './erasures.ts'
import { held } from './held.ts'
import type { Mails } from './mails.ts'
import type { Profiles } from './profiles.ts'
import type { AccountTables } from './tables.ts'

interface Tools {
  ctx: ServerContext<AccountTables>
  profiles: Profiles
  mails: Mails
  erasures: Erasures
}

/** So long somebody can think better of it. */
export const GRACE_SECONDS = 14 * 24 * 3600
/** Accounts of one run. */
const BATCH = 50

export interface Departures {
  /** Ends all sessions of somebody and deletes their account when the grace period is over. @throws `error.accounts.last_admin` */
  ask(principal: Principal, removesContent: boolean): Promise<void>
  /** Somebody has logged in: they stay. In the current transaction. */
  cancel(principal: Principal): Promise<void>
}

/** People who delete their own account. */
export function createDepartures({ ctx, profiles, mails, erasures }: Tools): Departures {
  async function refuseLastAdmin(principal: Principal): Promise<void> {
    if (principal.role !== roles.admin) return
    const admins = (await ctx.host.credentials.withRole(roles.admin)).map(({ id }) => id)
    // Held before it is looked who leaves: of two who leave at once the second sees the first go.
    const present = await ctx.host.credentials.hold(admins)
    const leaving = new Set((await ctx.db.query.selectFrom('accounts__leaving').select('person_id').execute()).map((row) => row.person_id))
    const stays = ({ id, role, state }: Principal) => id !== principal.id && role === roles.admin && state === 'normal' && !leaving.has(id)
    if (![...present.values()].some(stays)) throw accountErrors.last_admin()
  }

  ctx.jobs.every('accounts.departures', 600, async () => {
    const due = await ctx.db.query
      .selectFrom('accounts__leaving')
      .select(['person_id', 'removes_content'])
      .where('due_at', '<=', ctx.now())
      .orderBy('due_at')
      .limit(BATCH)
      .execute()
    for (const { person_id, removes_content } of due)
      await ctx.db.write(async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom('accounts__leaving').where('person_id', '=', person_id).executeTakeFirst()
        const principal = await held(ctx, person_id)
        if (numDeletedRows === 0n || !principal || principal.state === 'deleted') return
        await mails.queue('left', await profiles.ensure(principal), { link: ctx.site.url })
        await erasures.begin(principal, removes_content === 1)
      })
  })

  return {
    async ask(principal, removesContent) {
      await ctx.db.write(async (tx) => {
        await refuseLastAdmin(principal)
        const now = ctx.now()
        const row = { removes_content: Number(removesContent), asked_at: now, due_at: now + GRACE_SECONDS }
        await tx
          .insertInto('accounts__leaving')
          .values({ person_id: principal.id, ...row })
          .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
          .execute()
        await ctx.host.credentials.closeSessions(principal.id)
        const profile = await profiles.ensure(principal)
        await mails.queue('leaving', profile, { link: `${ctx.site.url}/users/login`, date: row.due_at })
      })
    },
    async cancel(principal) {
      await ctx.db.write(async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom('accounts__leaving').where('person_id', '=', principal.id).executeTakeFirst()
        if (numDeletedRows > 0n) await mails.queue('stays', await profiles.ensure(principal), { link: ctx.site.url })
      })
    },
  }
}
