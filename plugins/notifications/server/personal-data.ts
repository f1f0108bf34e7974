import type { ServerContext } from '@stoa/sdk/server'
import { batches } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import { noticeLive } from '../shared/api.ts'
import type { Tables } from './tables.ts'

/** Notices that are in memory at a time. */
const BATCH = 500

/** What somebody was told and chose. What others were told of them stays, by nobody. */
export function personalNotices(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('notifications__notice')
          .select(['id', 'list', 'kind', 'title', 'phrase', 'people', 'amount', 'is_read', 'created_at', 'updated_at'])
          .where('person_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'notifications',
          rows.map(({ id: _, is_read, ...row }) => ({ ...row, is_read: is_read === 1 })),
        )
      }
      const choices = await ctx.db.query
        .selectFrom('notifications__setting')
        .select(['kind', 'channel', 'frequency'])
        .where('person_id', '=', personId)
        .execute()
      if (choices.length > 0) await archive.records('notification-settings', choices)
    },

    async erase({ personId, standInId }) {
      await ctx.db.write(async (tx) => {
        const own = [
          'notifications__delivery',
          'notifications__act',
          'notifications__notice',
          'notifications__setting',
          'notifications__secret',
          'notifications__status',
        ] as const
        for (const table of own) await tx.deleteFrom(table).where('person_id', '=', personId).execute()
        for (const table of ['notifications__delivery', 'notifications__act', 'notifications__notice'] as const)
          await tx.updateTable(table).set({ actor_id: standInId }).where('actor_id', '=', personId).execute()
        await ctx.live.push(noticeLive.status, String(personId), { inbox: 0, achievement: 0 })
      })
    },
  }
}
