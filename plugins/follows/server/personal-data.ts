import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { dropAll } from './follow-people.ts'
import type { FollowKeeper } from './keep-follows.ts'

/** What a person follows; none of it stays. */
export function personalFollows({ ctx }: Pick<Capabilities, 'ctx'>, keeper: FollowKeeper): PersonalData {
  return {
    async export(personId, archive) {
      const rows = await ctx.db.query
        .selectFrom('follows__follow')
        .select(['object_kind', 'object_n', 'created_at'])
        .where('person_id', '=', personId)
        .orderBy('id')
        .execute()
      await archive.records(
        'follows',
        rows.map(({ object_kind, object_n, created_at }) => ({ object_id: ctx.ids.encode(object_kind, object_n), created_at })),
      )
    },
    erase: ({ personId }) => dropAll({ ctx }, keeper, personId),
  }
}
