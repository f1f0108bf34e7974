import type { ServerContext } from '@stoa/sdk/server'
import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Tables } from './tables.ts'

/** Rows that are in memory at a time. */
const BATCH = 500

/** What of a person waited or was rejected; afterwards it is of nobody. */
export function personalReviews(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('review__item')
          .select(['id', 'object_kind', 'object_n', 'status', 'created_at', 'decided_at', 'note'])
          .where('author_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'reviews',
          rows.map(({ id: _, object_kind, object_n, ...row }) => ({ object_id: ctx.ids.encode(object_kind, object_n), ...row })),
        )
      }
    },
    async erase({ personId, standInId }) {
      await replaceNumber(ctx.db, { table: 'review__item', key: 'id', columns: ['author_id', 'decided_by'], from: personId, to: standInId })
    },
  }
}
