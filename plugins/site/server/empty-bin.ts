import type { ServerContext } from '@stoa/sdk/server'
import type { Bin } from '../shared/api.ts'
import { purged } from '../shared/api.ts'

/** Empties a bin a batch at a time, so that writers get in between, and tells whoever keeps something by what is gone. */
export async function emptyBin(ctx: ServerContext, bin: Bin): Promise<void> {
  const removeSome = () =>
    ctx.db.write(async () => {
      const ns = await bin.removeSome()
      if (ns.length > 0) await ctx.emit(purged, { kind: bin.kind, ns })
      return ns.length
    })
  while ((await removeSome()) > 0 && !ctx.plugin.signal.aborted);
}
