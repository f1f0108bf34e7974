import type { Principal, ServerContext, Wanted } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { staffLog } from '../../audit/shared/api.ts'
import type { SuspensionTime } from '../shared/api.ts'
import { accountErrors } from '../shared/api.ts'
import { held } from './held.ts'
import type { Mails } from './mails.ts'
import type { Profiles } from './profiles.ts'
import type { AccountTables } from './tables.ts'

interface Tools {
  ctx: ServerContext<AccountTables>
  profiles: Profiles
  mails: Mails
  log: Wanted<typeof staffLog>
}

const HOUR = 3600
const DAY = 24 * HOUR
const seconds: Record<Exclude<SuspensionTime, 'forever'>, number> = {
  '24h': DAY,
  '48h': 2 * DAY,
  '72h': 3 * DAY,
  '7d': 7 * DAY,
  '14d': 14 * DAY,
  '1m': 30 * DAY,
  '2m': 60 * DAY,
  '3m': 90 * DAY,
  '6m': 180 * DAY,
  '1y': 365 * DAY,
}
const LONGEST = 3653 * DAY
/** People of one run. */
const BATCH = 50

export interface Suspensions {
  /** The moment that is meant; 0: no end. @throws `error.accounts.until_past` */
  endOf(asked: { suspend_duration?: SuspensionTime; suspended_until?: number }): number
  /**
   * Suspends somebody, or changes until when and why, in the current transaction; they are told by mail.
   * @param reason left out: none, or the one that there was
   */
  begin(principal: Principal, until: number, reason?: string | undefined): Promise<void>
  /** Somebody who was suspended is not any more, in the current transaction; they are told by mail. */
  end(principal: Principal): Promise<void>
}

/** Suspensions, and their end when the time is over. */
export function createSuspensions({ ctx, profiles, mails, log }: Tools): Suspensions {
  async function end(principal: Principal): Promise<void> {
    await ctx.db.write(async (tx) => {
      await ctx.host.credentials.setState(principal.id, 'normal')
      await profiles.ensure(principal)
      await profiles.follow({ ...principal, state: 'normal' })
      await tx.updateTable('accounts__profile').set({ suspended_until: 0, suspension_reason: '' }).where('id', '=', principal.id).execute()
      await mails.queue('suspension_over', await profiles.ensure(principal), { link: ctx.site.url })
    })
  }

  ctx.jobs.every('accounts.suspensions', 60, async () => {
    const due = await ctx.db.query
      .selectFrom('accounts__profile')
      .select(['id', 'display_name'])
      // Their index is used for the literal only.
      .where('suspended_until', '>', sql.lit(0))
      .where('suspended_until', '<=', ctx.now())
      .where('state', '=', 'suspended')
      .orderBy('suspended_until')
      .limit(BATCH)
      .execute()
    for (const { id, display_name } of due) {
      await ctx.db.write(async () => {
        const principal = await held(ctx, id)
        if (principal?.state !== 'suspended') return
        await end(principal)
        const object = { kind: 'person', id: String(id), label: display_name, path: `/admin/users/${id}` }
        await log.current?.record({ actorId: 0, action: 'accounts.suspension_over', object })
      })
    }
  })

  return {
    end,
    endOf({ suspend_duration = 'forever', suspended_until }) {
      const now = ctx.now()
      if (suspended_until === undefined) return suspend_duration === 'forever' ? 0 : now + seconds[suspend_duration]
      if (suspended_until !== 0 && (suspended_until <= now || suspended_until > now + LONGEST)) throw accountErrors.until_past()
      return suspended_until
    },
    async begin(principal, until, given) {
      await ctx.db.write(async (tx) => {
        await ctx.host.credentials.setState(principal.id, 'suspended')
        const profile = await profiles.ensure(principal)
        await profiles.follow({ ...principal, state: 'suspended' })
        const reason = given ?? (principal.state === 'suspended' ? profile.suspension_reason : '')
        await tx
          .updateTable('accounts__profile')
          .set({ suspended_at: ctx.now(), suspended_until: until, suspension_reason: reason })
          .where('id', '=', principal.id)
          .execute()
        const link = `${ctx.site.url}/users/account-suspended`
        const because = mails.because(reason, profile)
        await (until > 0
          ? mails.queue('suspended_until', profile, { link, because, date: until })
          : mails.queue('suspended', profile, { link, because }))
      })
    },
  }
}
