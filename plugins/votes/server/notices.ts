import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { notices } from '../../notifications/shared/api.ts'
import { voteEvents } from '../shared/api.ts'

/** Tells authors of votes: of each voter and direction once, and who voted down is not named. */
export function tellOfVotes(ctx: ServerContext, inbox: Wanted<typeof notices>): void {
  ctx.on(
    voteEvents.cast,
    async ({ objectId, voterId, authorId, direction }) => {
      const object = ctx.ids.decode(objectId)
      if (!object || direction === 0) return
      const { kind, n } = object
      const isUp = direction > 0
      await inbox.current?.tell({
        kind: isUp ? 'votes.up' : 'votes.down',
        to: [authorId],
        ...(isUp && { actorId: voterId }),
        key: `${objectId} ${voterId}`,
        object: { kind, n },
      })
    },
    { name: 'notices' },
  )
}
