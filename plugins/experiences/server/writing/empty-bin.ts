import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { forUpdate } from '@stoa/sdk/server'
import type { staffLog } from '../../../audit/shared/api.ts'
import { touched } from '../../../search/shared/api.ts'
import type { Bin } from '../../../site/shared/api.ts'
import { postStatus } from '../../shared/api.ts'
import type { Tables } from '../store/tables.ts'
import { logPurge } from './staff-log.ts'

/** A batch holds up everybody else for some milliseconds. */
const BATCH = 100

/** Deleted posts, removed for good with everything kept of them here; what stands below them is for its owners, who are told. */
export function createBin(ctx: ServerContext<Tables>, log: Wanted<typeof staffLog>): Bin {
  const remove = (only?: readonly number[]): Promise<number[]> =>
    ctx.db.write(async (tx) => {
      const rows = await tx
        .selectFrom('experiences__post')
        .select('id')
        .where('status', '=', postStatus.deleted)
        .$if(only !== undefined, (query) => query.where('id', 'in', only ?? []))
        .orderBy('id')
        .limit(BATCH)
        .$call(forUpdate(ctx.db.dialect))
        .execute()
      const ns = rows.map(({ id }) => id)
      if (ns.length === 0) return []
      for (const table of ['experiences__group', 'experiences__body', 'experiences__act', 'experiences__view'] as const)
        await tx.deleteFrom(table).where('post_id', 'in', ns).execute()
      for (const table of ['experiences__link', 'experiences__link_source'] as const)
        await tx
          .deleteFrom(table)
          .where((eb) => eb.or([eb('from_post', 'in', ns), eb('to_post', 'in', ns)]))
          .execute()
      await tx.deleteFrom('experiences__post').where('id', 'in', ns).execute()
      for (const n of ns) await ctx.emit(touched, { kind: 'experience', n })
      await logPurge(ctx, log, ns.length)
      return ns
    })
  return {
    type: 'experiences',
    kind: 'experience',
    removeSome: () => remove(),
    remove,
  }
}
