import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Capabilities } from './find-object.ts'
import { forgetPerson, giveTo } from './react.ts'

/** Reactions of a person. Those that stay go on counting, by nobody. */
export function personalReactions(capabilities: Capabilities): PersonalData {
  const { ctx } = capabilities
  return {
    async export(personId, archive) {
      const rows = await ctx.db.query
        .selectFrom('reactions__reaction')
        .select(['object_kind', 'object_n', 'emoji', 'created_at'])
        .where('person_id', '=', personId)
        .orderBy('id')
        .execute()
      await archive.records(
        'reactions',
        rows.map(({ object_kind, object_n, ...row }) => ({ object_id: ctx.ids.encode(object_kind, object_n), ...row })),
      )
    },
    erase: ({ personId, standInId, removesContent }) =>
      removesContent ? forgetPerson(capabilities, personId) : giveTo(capabilities, personId, standInId),
  }
}
