import type { ReadContext } from '@stoa/sdk/server'
import type { ObjectName, TimelineLine } from '../../history/shared/api.ts'
import type { Tables } from './tables.ts'
import { commentStatus } from './tables.ts'

/** Comments in the timeline of what they stand below. */
export async function fillLines(ctx: ReadContext<Tables>, items: (ObjectName & { limit: number; lines: TimelineLine[] })[]): Promise<void> {
  for (const { kind, n, limit, lines } of items) {
    const rows = await ctx.db
      .selectFrom('comments__comment')
      .select(['id', 'person_id', 'created_at', 'parsed_text'])
      .where('object_n', '=', n)
      .where('object_kind', '=', kind)
      .where('status', '=', commentStatus.available)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    lines.push(
      ...rows.map((row) => ({
        kind,
        n,
        type: 'commented' as const,
        id: row.id,
        at: row.created_at,
        personId: row.person_id,
        comment: row.parsed_text,
      })),
    )
  }
}
