import type { ServerContext } from '@stoa/sdk/server'
import { batches } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Tables } from './tables.ts'

/** Votes that are in memory at a time. */
const BATCH = 1000

/** Votes of a person. They go on counting, by nobody: scores and reputation of others do not change because somebody leaves. */
export function personalVotes(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('votes__ballot')
          .select(['id', 'object_kind', 'object_n', 'direction', 'created_at'])
          .where('voter_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'votes',
          rows.map(({ object_kind, object_n, direction, created_at }) => ({
            object_id: ctx.ids.encode(object_kind, object_n),
            direction,
            created_at,
          })),
        )
      }
    },
    async erase({ personId, standInId }) {
      await ctx.db.write((tx) => tx.updateTable('votes__ballot').set({ voter_id: standInId }).where('voter_id', '=', personId).execute())
    },
  }
}
