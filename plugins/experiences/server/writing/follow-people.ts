import type { ServerContext } from '@stoa/sdk/server'
import { accountHooks } from '../../../accounts/shared/api.ts'
import { postStatus } from '../../shared/api.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { createModeration } from './moderation.ts'

/** Deletes the posts of somebody whose deletion takes their content along, and what they have opened; in its transaction. */
export function followPeople(ctx: ServerContext<Tables>, moderation: Pick<ReturnType<typeof createModeration>, 'setStatus'>): void {
  ctx.on(accountHooks.removeContent, async (personId) => {
    const rows = await ctx.db.query
      .selectFrom('experiences__post')
      .select(postColumns)
      .where('author_id', '=', personId)
      .where('status', '!=', postStatus.deleted)
      .execute()
    await ctx.db.write((tx) => tx.deleteFrom('experiences__opened').where('person_id', '=', personId).execute())
    for (const row of rows) await moderation.setStatus(row, 'deleted', ctx.host.request()?.person ?? null)
  })
}
