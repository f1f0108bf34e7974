import { accountHooks } from '../../accounts/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { commentColumns, commentStatus } from './tables.ts'
import { removeComment } from './write-comment.ts'

/** Deletes the comments of somebody whose deletion takes their content along; in its transaction. */
export function followPeople(capabilities: Capabilities): void {
  const { ctx } = capabilities
  ctx.on(accountHooks.removeContent, async (personId) => {
    const rows = await ctx.db.query
      .selectFrom('comments__comment')
      .select(commentColumns)
      .where('person_id', '=', personId)
      .where('status', '=', commentStatus.available)
      .execute()
    for (const row of rows) await removeComment(capabilities, row)
  })
}
