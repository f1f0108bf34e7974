import type { ServerContext } from '@stoa/sdk/server'
import { batches } from '@stoa/sdk/server'
import type { StaffLog } from '../shared/api.ts'
import type { Tables } from './tables.ts'

const BATCH = 300

/** What somebody did as staff, and what staff did about them. Erased, the acts stay as somebody's without a name. */
export function personalLog(ctx: ServerContext<Tables>): StaffLog['personalData'] {
  const entries = (personId: number, side: 'did' | 'about', after: number, limit: number) =>
    ctx.db.query
      .selectFrom('audit__entry')
      .select(['id', 'action', 'object_kind', 'object_id', 'object_label', 'note', 'changes', 'created_at'])
      .where((eb) =>
        side === 'did'
          ? eb('actor_id', '=', personId)
          : eb.and([eb('object_kind', '=', 'person'), eb('object_id', '=', String(personId)), eb('actor_id', '!=', personId)]),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
  return {
    async export(personId, archive) {
      for (const side of ['did', 'about'] as const) {
        for await (const rows of batches(BATCH, (after, limit) => entries(personId, side, after, limit)))
          await archive.records(
            side === 'did' ? 'staff-acts' : 'acts-about-you',
            rows.map(({ id: _, changes, ...row }) => ({ ...row, changes: JSON.parse(changes) as object })),
          )
      }
    },
    async erase({ personId, standInId }) {
      await ctx.db.write(async (tx) => {
        await tx
          .updateTable('audit__entry')
          .set({ object_id: String(standInId), object_label: '', object_path: '', note: '', changes: '{}' })
          .where('object_kind', '=', 'person')
          .where('object_id', '=', String(personId))
          .execute()
        await tx.updateTable('audit__entry').set({ actor_id: standInId }).where('actor_id', '=', personId).execute()
      })
    },
  }
}
