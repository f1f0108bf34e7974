import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { posts } from '../../experiences/shared/api.ts'
import type { Tables } from './tables.ts'

/** Kind of the groups in which posts are listed by tag. */
export const GROUP = 'tag'
/** Posts per step: a step is one short transaction, so that writers never wait long. */
const BATCH = 100

export type PostGroups = ReturnType<typeof createPostGroups>

/** Tells lists which tags posts have. */
export function createPostGroups(ctx: ServerContext<Tables>, owner: Wanted<typeof posts>) {
  /** In the transaction that changed the tags of these posts. */
  async function tell(tx: Kysely<Tables>, ns: number[]): Promise<void> {
    if (ns.length === 0) return
    const rows = await tx.selectFrom('tags__relation').select(['experience_id', 'tag_id']).where('experience_id', 'in', ns).execute()
    const tagsOf = Map.groupBy(rows, (row) => row.experience_id)
    await owner.current?.regroup(
      GROUP,
      ns.map((n) => ({ n, groups: tagsOf.get(n)?.map((row) => row.tag_id) ?? [] })),
    )
  }

  async function put(n: number, tags: number[]): Promise<void> {
    await owner.current?.group(n, GROUP, tags)
  }

  const untold = () => ctx.db.query.selectFrom('tags__ungrouped').select('experience_id').orderBy('experience_id').limit(BATCH).execute()

  return {
    /** While a post is stored. */
    put,
    tell,
    isBehind: async (): Promise<boolean> => (await untold()).length > 0,
    /** Tells what nobody told yet, in short steps; goes on after a restart. */
    async catchUp(): Promise<void> {
      while (owner.current && !ctx.plugin.signal.aborted) {
        const ns = (await untold()).map((row) => row.experience_id)
        if (ns.length === 0) return
        await ctx.db.write(async (tx) => {
          await tell(tx, ns)
          await tx.deleteFrom('tags__ungrouped').where('experience_id', 'in', ns).execute()
        })
        // Requests get in between.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    },
  }
}
