import { purged } from '../../site/shared/api.ts'
import type { Capabilities } from './capabilities.ts'

/** Comments go with what they stand below; whoever keeps something by them is told in turn. */
export function followPurge({ ctx }: Pick<Capabilities, 'ctx'>): void {
  ctx.on(purged, async ({ kind, ns }) => {
    if (kind === 'comment') return
    await ctx.db.write(async (tx) => {
      const gone = await tx
        .deleteFrom('comments__comment')
        .where('object_kind', '=', kind)
        .where('object_n', 'in', ns)
        .returning('id')
        .execute()
      if (gone.length > 0) await ctx.emit(purged, { kind: 'comment', ns: gone.map(({ id }) => id) })
    })
  })
}
