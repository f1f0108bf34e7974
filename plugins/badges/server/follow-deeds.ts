import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { kernelEvents } from '@stoa/sdk/server'
import { accountEvents, peopleWithBio } from '../../accounts/shared/api.ts'
import { answerCards, answerEvents } from '../../answers/shared/api.ts'
import type { posts as postsToken } from '../../experiences/shared/api.ts'
import { historyEvents } from '../../history/shared/api.ts'
import { reactionEvents } from '../../reactions/shared/api.ts'
import { shareEvents } from '../../share/shared/api.ts'
import { upvotes, voteEvents } from '../../votes/shared/api.ts'
import type { Awarding } from './award.ts'
import { editedKinds, upvotesFor } from './conditions.ts'
import type { Tables } from './tables.ts'

/** What people do, and the badges that it earns them. Each of these may be told twice. Source: behaviour reference, section 9. */
export function followDeeds(ctx: ServerContext<Tables>, awarding: Awarding, posts: Wanted<typeof postsToken>): void {
  const { give } = awarding

  ctx.on(accountEvents.profileChanged, async ({ id }) => {
    const { ids } = await ctx.read(peopleWithBio, { ids: [id] })
    if (ids.length > 0) await give('badges.autobiographer', { personId: id })
  })

  ctx.on(historyEvents.edited, async ({ kind, n, editorId }) => {
    if (editedKinds.includes(kind)) await give('badges.editor', { personId: editorId, object: { kind, n } })
  })

  ctx.on(voteEvents.cast, async ({ objectId, voterId, authorId, direction }) => {
    if (direction <= 0) return
    // What somebody voted on is theirs to know.
    await give('badges.first_upvote', { personId: voterId })
    const object = ctx.ids.decode(objectId)
    const thresholds = object && upvotesFor[object.kind]
    if (!object || !thresholds) return
    const [counted] = await ctx.read(upvotes, { kind: object.kind, ns: [object.n] }, { otherwise: [] })
    for (const [badge, needed] of thresholds)
      if (counted && counted.count >= needed) await give(badge, { personId: authorId, object: { kind: object.kind, n: object.n } })
  })

  ctx.on(reactionEvents.reacted, async ({ kind, n, personId, active }) => {
    if (active) await give('badges.first_reaction', { personId, object: { kind, n } })
  })

  ctx.on(shareEvents.opened, async ({ experience, sharerId }) => {
    await give('badges.first_share', { personId: sharerId, object: { kind: 'experience', n: experience } })
  })

  ctx.on(answerEvents.accepted, async ({ n, experience, byId }) => {
    const object = { kind: 'answer', n }
    const post = await posts.current?.find(experience)
    if (post?.authorId === byId) await give('badges.scholar', { personId: byId, object })
    const answer = (await ctx.read(answerCards, { ns: [n] }, { otherwise: {} as Record<number, { authorId: number }> }))[n]
    if (answer) await give('badges.solved', { personId: answer.authorId, object })
  })

  ctx.on(
    kernelEvents.principalChanged,
    async ({ id }) => {
      if ((await ctx.host.credentials.find(id))?.state === 'deleted') await awarding.forget(id)
    },
    { whileOff: 'replay' },
  )
}
