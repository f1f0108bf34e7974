import type { Follows } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import type { FollowKeeper } from './keep-follows.ts'

/** What other plugins may ask and do. */
export function createFollows({ ctx }: Pick<Capabilities, 'ctx'>, keeper: FollowKeeper): Follows {
  return {
    async followersOf({ kind, n }, { after, limit }) {
      const rows = await ctx.db.query
        .selectFrom('follows__follow')
        .select('person_id')
        .where('object_n', '=', n)
        .where('object_kind', '=', kind)
        .where('person_id', '>', after)
        .orderBy('person_id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.person_id)
    },
    async move(kind, from, to) {
      const gone = from.filter((n) => n !== to)
      if (gone.length === 0) return
      await ctx.db.write(async (tx) => {
        const rows = await tx
          .selectFrom('follows__follow')
          .select(['object_n as n', 'person_id as personId'])
          .where('object_kind', '=', kind)
          .where('object_n', 'in', gone)
          .orderBy('object_n')
          .orderBy('person_id')
          .execute()
        for (const { n, personId } of rows) {
          await keeper.drop(tx, kind, n, personId)
          await keeper.add(tx, kind, to, personId)
        }
      })
    },
  }
}
