import type { ServerContext } from '@stoa/sdk/server'
import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Tables } from './tables.ts'

/** Flags that are in memory at a time. */
const BATCH = 500

/** Flags of a person. They stay for staff, by nobody. */
export function personalReports(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('reports__report')
          .select(['id', 'object_kind', 'object_n', 'reason_type', 'content', 'status', 'created_at'])
          .where('person_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'flags',
          rows.map(({ id, object_kind, object_n, ...row }) => ({
            id: ctx.ids.encode('report', id),
            object_id: ctx.ids.encode(object_kind, object_n),
            ...row,
          })),
        )
      }
    },
    async erase({ personId, standInId }) {
      const columns = ['person_id', 'author_id', 'handled_by']
      await replaceNumber(ctx.db, { table: 'reports__report', key: 'id', columns, from: personId, to: standInId })
    },
  }
}
