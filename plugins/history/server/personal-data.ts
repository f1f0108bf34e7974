import type { ServerContext } from '@stoa/sdk/server'
import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Tables } from './tables.ts'
import { revisionStatus } from './tables.ts'

/** Revisions whose texts are in memory at a time. */
const BATCH = 100

/** What somebody changed and did. It stays in the history of the texts, by nobody; only suggestions that were not taken can go. */
export function personalHistory(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('history__revision')
          .select(['id', 'object_kind', 'object_n', 'status', 'created_at', 'summary', 'text'])
          .where('editor_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'revisions',
          rows.map(({ object_kind, object_n, status, created_at, summary, text }) => ({
            object_id: ctx.ids.encode(object_kind, object_n),
            status,
            created_at,
            summary,
            text: JSON.parse(text) as object,
          })),
        )
      }
      const notes = await ctx.db.query
        .selectFrom('history__note')
        .select(['object_kind', 'object_n', 'type', 'created_at', 'taken_back_at', 'html'])
        .where('person_id', '=', personId)
        .orderBy('id')
        .execute()
      await archive.records(
        'acts',
        notes.map(({ object_kind, object_n, ...note }) => ({ object_id: ctx.ids.encode(object_kind, object_n), ...note })),
      )
    },
    async erase({ personId, standInId, removesContent }) {
      if (removesContent) await forgetSuggestions(ctx, personId)
      const ids = { key: 'id', from: personId, to: standInId }
      await replaceNumber(ctx.db, { ...ids, table: 'history__revision', columns: ['editor_id', 'reviewer_id'] })
      await replaceNumber(ctx.db, { ...ids, table: 'history__note', columns: ['person_id'] })
    },
  }
}

/** What somebody suggested goes with the rest of what they wrote; what was taken is part of others' texts. */
export async function forgetSuggestions(ctx: Pick<ServerContext<Tables>, 'db'>, personId: number): Promise<void> {
  await ctx.db.write((tx) =>
    tx
      .deleteFrom('history__revision')
      .where('editor_id', '=', personId)
      .where('status', 'in', [revisionStatus.waiting, revisionStatus.rejected])
      .execute(),
  )
}
