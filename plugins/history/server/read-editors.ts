import type { ReadContext } from '@stoa/sdk/server'
import type { Tables } from './tables.ts'
import { revisionStatus } from './tables.ts'

/** Who changed a text after its first one. The site itself (0) is nobody. */
export async function readEditors(
  ctx: ReadContext<Tables>,
  { kinds, after, limit }: { kinds: readonly string[]; after: number; limit: number },
): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('history__revision')
    .select('editor_id')
    .distinct()
    .where('editor_id', '>', after)
    .where('status', 'in', [revisionStatus.stored, revisionStatus.approved])
    .where('position', '>', 1)
    .where('object_kind', 'in', kinds)
    .orderBy('editor_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.editor_id)
}
