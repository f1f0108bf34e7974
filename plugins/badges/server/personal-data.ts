import type { ServerContext } from '@stoa/sdk/server'
import { batches } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Awarding } from './award.ts'
import type { Tables } from './tables.ts'

const AT_ONCE = 500

/** What people have of badges: exported by name, and gone with them. */
export function createPersonalData(ctx: ServerContext<Tables>, awarding: Awarding): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(AT_ONCE, (after, limit) =>
        ctx.db.query
          .selectFrom('badges__award as a')
          .innerJoin('badges__badge as b', 'b.id', 'a.badge_id')
          .select(['a.id', 'b.name', 'a.object_kind', 'a.object_n', 'a.created_at'])
          .where('a.person_id', '=', personId)
          .where('a.id', '>', after)
          .orderBy('a.id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages)
        await archive.records(
          'badges',
          rows.map((row) => ({
            badge: ctx.host.texts.text(`${row.name}.name`),
            for: row.object_kind ? ctx.ids.encode(row.object_kind, row.object_n) : '',
            at: row.created_at,
          })),
        )
    },
    erase: ({ personId }) => awarding.forget(personId),
  }
}
