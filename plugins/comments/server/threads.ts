import type { Commentable, Threads } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'

const BATCH = 500

/** Keeps what profiles may show true to what comments stand below. */
export function createThreads({ ctx, objects }: Capabilities): Threads {
  const show: Threads['show'] = async (kind, ns, shown) => {
    if (ns.length === 0) return
    await ctx.db.write((tx) =>
      tx
        .updateTable('comments__comment')
        .set({ object_shown: Number(shown) })
        .where('object_n', 'in', ns)
        .where('object_kind', '=', kind)
        .where('object_shown', '!=', Number(shown))
        .execute(),
    )
  }

  /** Asks the owner of a kind about everything that has comments. */
  async function lookUp({ kind, shown }: Commentable): Promise<void> {
    for (let after = 0; shown && !ctx.plugin.signal.aborted; ) {
      const rows = await ctx.db.query
        .selectFrom('comments__comment')
        .select('object_n')
        .distinct()
        .where('object_kind', '=', kind)
        .where('object_n', '>', after)
        .orderBy('object_n')
        .limit(BATCH)
        .execute()
      const ns = rows.map((row) => row.object_n)
      const last = ns.at(-1)
      if (last === undefined) return
      after = last
      const visible = new Set(await shown(ns))
      await show(
        kind,
        ns.filter((n) => visible.has(n)),
        true,
      )
      await show(
        kind,
        ns.filter((n) => !visible.has(n)),
        false,
      )
    }
  }

  // While this plugin is on, owners say what changes.
  ctx.plugin.onReturn(async () => {
    for (const { service } of objects.current) await lookUp(service)
  })
  return { show }
}
