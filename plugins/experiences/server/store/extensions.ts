import type { Extensions } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Tables } from './tables.ts'

const AT_ONCE = 200

/** The column as what it says. */
export const extensionsIn = (text: string): Extensions => (text === '{}' ? {} : (JSON.parse(text) as Extensions))

/** The same as a column: values in one order, so that the same bag is the same text. */
export const extensionsText = (extensions: Extensions): string =>
  JSON.stringify(Object.fromEntries(Object.entries(extensions).sort(([one], [other]) => (one < other ? -1 : 1))))

/** Takes the values of a plugin away from all posts, some in each transaction. */
export async function stripExtensions(ctx: ServerContext<Tables>, slug: string): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await ctx.db.write(async (tx) => {
      const found = await tx
        .selectFrom('experiences__body')
        .select(['post_id', 'extensions'])
        // Their index is used for the literal only.
        .where('extensions', '<>', sql.lit('{}'))
        .where('post_id', '>', after)
        .orderBy('post_id')
        .limit(AT_ONCE)
        .execute()
      for (const { post_id, extensions } of found) {
        const { [slug]: gone, ...others } = extensionsIn(extensions)
        if (gone !== undefined)
          await tx
            .updateTable('experiences__body')
            .set({ extensions: JSON.stringify(others) })
            .where('post_id', '=', post_id)
            .execute()
      }
      return found
    })
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.post_id ?? after
  }
}
