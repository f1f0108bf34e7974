import type { ServerContext } from '@stoa/sdk/server'
import { forUpdate } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { copyColumn } from './groups.ts'
import type { Tables } from './tables.ts'

/** More than anybody reads, few enough for one statement. */
const MOST_LINKS = 100

/** Adds to the counts of what listed posts link to. */
async function countLinks(tx: Kysely<Tables>, targets: readonly number[], step: number): Promise<void> {
  if (targets.length === 0) return
  const ns = [...targets].sort((a, b) => a - b)
  await tx
    .updateTable('experiences__post')
    .set((eb) => ({ linked_count: eb('linked_count', '+', step) }))
    .where('id', 'in', ns)
    .execute()
  await copyColumn(tx, 'linked_count', ns)
}

/** Post `n` entered (`step` 1) or left (-1) the public lists: so do its links. */
export async function countLinksOf(tx: Kysely<Tables>, n: number, step: number): Promise<void> {
  const targets = await tx.selectFrom('experiences__link').select('to_post').where('from_post', '=', n).execute()
  await countLinks(
    tx,
    targets.map(({ to_post }) => to_post),
    step,
  )
}

/** Texts below a post by name: its own, its closing as a duplicate, or what other plugins keep there. */
export type LinkSource = 'text' | 'duplicate' | `${string}:${number}`

/**
 * Replaces what one text below post `n` links to, and counts each linked post once however many texts name it; in the caller's transaction.
 * Unknown posts and the post itself are left out.
 */
export async function setLinks(ctx: ServerContext<Tables>, n: number, source: LinkSource, targets: readonly number[]): Promise<void> {
  await ctx.db.write(async (tx) => {
    const own = (query: Kysely<Tables>) => query.selectFrom('experiences__link_source').where('from_post', '=', n)
    if (targets.length === 0 && !(await own(tx).select('to_post').where('source', '=', source).limit(1).executeTakeFirst())) return
    // Of two texts below one post at once, the second sees what the first did.
    const from = tx.selectFrom('experiences__post').select('tier').where('id', '=', n)
    const post = await from.$call(forUpdate(ctx.db.dialect)).executeTakeFirst()
    if (!post) return
    const wanted = [...new Set(targets)].filter((to) => to !== n).slice(0, MOST_LINKS)
    const known = wanted.length === 0 ? [] : await tx.selectFrom('experiences__post').select('id').where('id', 'in', wanted).execute()
    await tx.deleteFrom('experiences__link_source').where('from_post', '=', n).where('source', '=', source).execute()
    if (known.length > 0) {
      const rows = known.map(({ id }) => ({ from_post: n, source, to_post: id }))
      await tx.insertInto('experiences__link_source').values(rows).execute()
    }
    const after = new Set((await own(tx).select('to_post').distinct().execute()).map(({ to_post }) => to_post))
    const rows = await tx.selectFrom('experiences__link').select('to_post').where('from_post', '=', n).execute()
    const before = new Set(rows.map(({ to_post }) => to_post))
    const added = [...after].filter((to) => !before.has(to))
    const gone = [...before].filter((to) => !after.has(to))
    if (gone.length > 0) await tx.deleteFrom('experiences__link').where('from_post', '=', n).where('to_post', 'in', gone).execute()
    if (added.length > 0) {
      const pairs = added.map((to_post) => ({ from_post: n, to_post }))
      await tx.insertInto('experiences__link').values(pairs).execute()
    }
    if (post.tier === 0) return
    await countLinks(tx, added, 1)
    await countLinks(tx, gone, -1)
  })
}
