import type { Votable } from '../../votes/shared/api.ts'
import { commentEvents } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { findObject } from './find-object.ts'
import { commentStatus } from './tables.ts'

/** Lets people like comments; nobody gains or loses reputation by it. */
export function votableComments(capabilities: Capabilities): Votable {
  const { ctx } = capabilities
  return {
    kind: 'comment',
    hasDown: false,
    rewards: { up: 0, down: 0, downVoter: 0 },
    async find(n, person) {
      const row = await ctx.db.query
        .selectFrom('comments__comment')
        .select(['person_id', 'object_kind', 'object_n'])
        .where('id', '=', n)
        .where('status', '=', commentStatus.available)
        .executeTakeFirst()
      const object = row && (await findObject(capabilities, row.object_kind, row.object_n, person))
      return row && object?.open ? { authorId: row.person_id } : undefined
    },
    async addVotes(n, delta) {
      await ctx.db.write(async (tx) => {
        await tx
          .updateTable('comments__comment')
          .set((eb) => ({ vote_count: eb('vote_count', '+', delta) }))
          .where('id', '=', n)
          .execute()
        await ctx.emit(commentEvents.changed, { n })
      })
    },
  }
}
