import type { ServerContext } from '@stoa/sdk/server'
import { replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Tables } from './tables.ts'

/** Tags that somebody made. They are everybody's: they stay, and are by nobody. */
export function personalTags(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const rows = await ctx.db.query
        .selectFrom('tags__tag')
        .select(['id', 'slug', 'display_name', 'created_at', 'original_text'])
        .where('author_id', '=', personId)
        .orderBy('id')
        .execute()
      await archive.records(
        'tags',
        rows.map(({ id, ...row }) => ({ id: ctx.ids.encode('tag', id), ...row })),
      )
    },
    erase: ({ personId, standInId }) =>
      replaceNumber(ctx.db, { table: 'tags__tag', key: 'id', columns: ['author_id'], from: personId, to: standInId }),
  }
}
