import { fieldErrors } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import type { Bin } from '../shared/api.ts'
import { purged } from '../shared/api.ts'

/** Removes some of what is in a bin and tells whoever keeps something by it. @returns how many are gone */
function take(ctx: ServerContext, bin: Bin, remove: () => Promise<number[]>): Promise<number> {
  return ctx.db.write(async () => {
    const ns = await remove()
    if (ns.length > 0) await ctx.emit(purged, { kind: bin.kind, ns })
    return ns.length
  })
}

/** Empties a bin a batch at a time, so that writers get in between. */
export async function emptyBin(ctx: ServerContext, bin: Bin): Promise<void> {
  while ((await take(ctx, bin, () => bin.removeSome())) > 0 && !ctx.plugin.signal.aborted);
}

/** Removes those of a bin, by their public ids. @throws a form error where one is no id of its kind, or the bin cannot do that */
export async function removeFromBin(ctx: ServerContext, bin: Bin, ids: readonly string[]): Promise<void> {
  const objects = ids.map((id) => ctx.ids.decode(id))
  if (!bin.remove || objects.some((object) => object?.kind !== bin.kind)) throw fieldErrors({ ids: 'validation.format' })
  const ns = objects.flatMap((object) => object?.n ?? [])
  await take(ctx, bin, async () => (await bin.remove?.(ns)) ?? [])
}
