import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import { accountHooks } from '../../accounts/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { commentColumns, commentStatus } from './tables.ts'
import { removeComment } from './write-comment.ts'

/** Comments whose texts are in memory at a time. */
const BATCH = 200

/** Deletes the comments of somebody whose deletion takes their content along; in its transaction. */
export function followPeople(capabilities: Capabilities): void {
  for (const hook of [accountHooks.removeContent, accountHooks.removeWriting])
    capabilities.ctx.on(hook, (personId) => removeAll(capabilities, personId))
}

async function removeAll(capabilities: Capabilities, personId: number): Promise<void> {
  const rows = await capabilities.ctx.db.query
    .selectFrom('comments__comment')
    .select(commentColumns)
    .where('person_id', '=', personId)
    .where('status', '!=', commentStatus.deleted)
    .orderBy('experience')
    .orderBy('id')
    .execute()
  for (const row of rows) await removeComment(capabilities, row)
}

/** Comments of a person; those that stay are by nobody. */
export function personalComments(capabilities: Capabilities): PersonalData {
  const { ctx } = capabilities
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('comments__comment')
          .select(['id', 'object_kind', 'object_n', 'status', 'created_at', 'updated_at', 'original_text'])
          .where('person_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'comments',
          rows.map(({ id, object_kind, object_n, ...row }) => ({
            id: ctx.ids.encode('comment', id),
            object_id: ctx.ids.encode(object_kind, object_n),
            ...row,
          })),
        )
      }
    },
    async erase({ personId, standInId, removesContent }) {
      const columns = ['person_id', 'reply_person']
      await replaceNumber(ctx.db, { table: 'comments__comment', key: 'id', columns, from: personId, to: standInId })
      if (removesContent) await ctx.db.write(() => removeAll(capabilities, standInId))
    },
  }
}
