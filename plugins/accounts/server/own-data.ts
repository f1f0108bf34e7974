import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import type { Archives } from './archives.ts'

/** Changes of reputation that are in memory at a time. */
const BATCH = 500

/** What this plugin itself knows of somebody, and the kernel with it. */
export function ownData({ ctx, profiles }: Pick<AccountTools, 'ctx' | 'profiles'>, archives: Pick<Archives, 'remove'>): PersonalData {
  return {
    async export(personId, archive) {
      const profile = await profiles.find(personId)
      if (profile) {
        const { email_hash: _, bio_html: __, ...shown } = profile
        await archive.records('profile', [shown])
      }
      const sessions = await ctx.host.credentials.sessionsOf(personId)
      await archive.records(
        'sessions',
        sessions.map(({ ip, userAgent, createdAt, usedAt }) => ({ ip, user_agent: userAgent, created_at: createdAt, used_at: usedAt })),
      )
      const identities = await ctx.db.query
        .selectFrom('accounts__identity')
        .select(['method', 'external_id', 'created_at', 'used_at'])
        .where('person_id', '=', personId)
        .orderBy('method')
        .execute()
      if (identities.length > 0) await archive.records('logins', identities)
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('accounts__reputation')
          .select(['id', 'delta', 'reason', 'object_id', 'is_cancelled', 'created_at'])
          .where('person_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'reputation',
          rows.map(({ id: _, ...row }) => row),
        )
      }
    },
    async erase({ personId, standInId }) {
      await archives.remove(personId)
      await ctx.db.write(async (tx) => {
        await tx.deleteFrom('accounts__mail_code').where('person_id', '=', personId).execute()
        for (const table of [
          'accounts__attempt',
          'accounts__identity',
          'accounts__sign_in',
          'accounts__demand',
          'accounts__confirmation',
          'accounts__guess',
          'accounts__rank_difference',
        ] as const)
          await tx.deleteFrom(table).where('person_id', '=', personId).execute()
        // The first point of reputation names the person as its object.
        await tx
          .updateTable('accounts__reputation')
          .set({ object_id: String(standInId) })
          .where('person_id', '=', personId)
          .where('object_id', '=', String(personId))
          .execute()
      })
      const replaced = { table: 'accounts__reputation', key: 'id', from: personId, to: standInId }
      await replaceNumber(ctx.db, { ...replaced, columns: ['person_id', 'cause_id'] })
    },
  }
}
