import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Capabilities } from './switch-bookmark.ts'
import { takeAllAway } from './switch-bookmark.ts'

/** Bookmarks of a person; they are seen by nobody else, so none stays. */
export function personalBookmarks(capabilities: Capabilities): PersonalData {
  const { ctx } = capabilities
  return {
    async export(personId, archive) {
      const rows = await ctx.db.query
        .selectFrom('bookmarks__bookmark')
        .select(['object_kind', 'object_n', 'created_at'])
        .where('person_id', '=', personId)
        .orderBy('id')
        .execute()
      await archive.records(
        'bookmarks',
        rows.map(({ object_kind, object_n, created_at }) => ({ object_id: ctx.ids.encode(object_kind, object_n), created_at })),
      )
    },
    erase: ({ personId }) => takeAllAway(capabilities, personId),
  }
}
