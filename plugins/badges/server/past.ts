import { job } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { peopleWithBio } from '../../accounts/shared/api.ts'
import { acceptedAnswers, answerCards } from '../../answers/shared/api.ts'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceCards, postStatus } from '../../experiences/shared/api.ts'
import { editorsOf } from '../../history/shared/api.ts'
import { reactors } from '../../reactions/shared/api.ts'
import { upvoters, upvotes } from '../../votes/shared/api.ts'
import type { BadgePast, badgePasts, Deserved, PastBatch } from '../shared/api.ts'
import type { Awarding } from './award.ts'
import { editedKinds, upvotesFor } from './conditions.ts'
import type { Definitions } from './definitions.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

const BATCH = 200
const TEN_MINUTES = 600

const catchUp = job<Record<string, never>>('badges.past')

const nothing: PastBatch = { deserved: [], next: null }
const slow = <O>(otherwise: O) => ({ lane: 'slow' as const, otherwise })
/** People by themselves, `BATCH` at a time. */
const batchOf = (ids: readonly number[]): PastBatch => ({
  deserved: ids.map((personId) => ({ personId })),
  next: ids.length < BATCH ? null : (ids.at(-1) ?? null),
})

/** What of our own badges can be found by what is stored. Who opened shared links is stored nowhere. */
function ownPast(ctx: ServerContext<Tables>): Map<string, (after: number) => Promise<PastBatch>> {
  /** Of answers that were accepted: who wrote them, or who asked. */
  const accepted = (whose: 'author' | 'asker') => async (after: number) => {
    const found = await ctx.read(acceptedAnswers, { after, limit: BATCH }, slow([]))
    const ns = found.map(({ experience }) => experience)
    const posts = await ctx.read(experienceCards, { ns }, slow({} as Record<number, never>))
    const deserved = found.flatMap(({ n, experience, authorId }): Deserved[] => {
      const personId = whose === 'author' ? authorId : posts[experience]?.authorId
      return personId === undefined ? [] : [{ personId, object: { kind: 'answer', n } }]
    })
    return { deserved, next: found.length < BATCH ? null : (found.at(-1)?.n ?? null) }
  }

  const liked = (kind: string, needed: number) => async (after: number) => {
    const counted = await ctx.read(upvotes, { kind, after, limit: BATCH }, slow([]))
    const ns = counted.filter(({ count }) => count >= needed).map(({ n }) => n)
    const none = slow({} as Record<number, never>)
    const cards = await (kind === 'answer' ? ctx.read(answerCards, { ns }, none) : ctx.read(experienceCards, { ns }, none))
    const deserved = Object.values<Pick<PostFacts, 'n' | 'authorId' | 'status'>>(cards).flatMap(({ n, authorId, status }): Deserved[] =>
      status === postStatus.available || status === postStatus.closed ? [{ personId: authorId, object: { kind, n } }] : [],
    )
    return { deserved, next: counted.length < BATCH ? null : (counted.at(-1)?.n ?? null) }
  }

  return new Map([
    [
      'badges.autobiographer',
      async (after) => {
        const { ids, next } = await ctx.read(peopleWithBio, { after, limit: BATCH })
        return { deserved: ids.map((personId) => ({ personId })), next }
      },
    ],
    ['badges.editor', async (after) => batchOf(await ctx.read(editorsOf, { kinds: editedKinds, after, limit: BATCH }, slow([])))],
    ['badges.first_upvote', async (after) => batchOf(await ctx.read(upvoters, { after, limit: BATCH }, slow([])))],
    ['badges.first_reaction', async (after) => batchOf(await ctx.read(reactors, { after, limit: BATCH }, slow([])))],
    ['badges.scholar', accepted('asker')],
    ['badges.solved', accepted('author')],
    ...Object.entries(upvotesFor).flatMap(([kind, thresholds]) =>
      thresholds.map(([badge, needed]) => [badge, liked(kind, needed)] as const),
    ),
  ])
}

/**
 * Awards what people deserve by what is stored: once for each badge that is new here, again when badges was off, or the badge was. A batch a job, so
 * that it ends and goes on with the plugin.
 */
export function createPast(
  ctx: ServerContext<Tables>,
  { awarding, definitions, pasts }: { awarding: Awarding; definitions: Definitions; pasts: Wanted<typeof badgePasts> },
) {
  const own = ownPast(ctx)
  const lookUp = (badge: string): ((after: number) => Promise<PastBatch>) | undefined => {
    const other: BadgePast | undefined = pasts.current.find(({ service }) => service.badges.includes(badge))?.service
    return own.get(badge) ?? (other && ((after) => other.deserved(badge, after)))
  }

  const waiting = () =>
    ctx.db.query
      .selectFrom('badges__badge')
      .select(['id', 'name', 'past_after'])
      .where('past_after', 'is not', null)
      .where('status', '=', badgeStatus.active)
      .orderBy('id')
      .execute()

  const soon = () => ctx.jobs.enqueue(catchUp, {}, { key: 'badges.past' })

  ctx.jobs.handle(catchUp, async () => {
    const next = (await waiting()).find(({ name }) => definitions.get(name))
    if (!next) return
    const batch = await (lookUp(next.name)?.(next.past_after ?? 0) ?? nothing)
    for (let at = 0; at < batch.deserved.length; at += BATCH) await awarding.giveSilently(next.name, batch.deserved.slice(at, at + BATCH))
    await ctx.db.write(async (tx) => {
      await tx
        .updateTable('badges__badge')
        .set({ past_after: batch.next })
        .where('id', '=', next.id)
        // Somebody may have asked for all of it again meanwhile.
        .where('past_after', '=', next.past_after)
        .execute()
      await soon()
    })
  })

  return {
    soon,
    /** All of it again; of one badge where its number is given. In the caller's transaction if there is one. */
    async again(badgeId?: number): Promise<void> {
      await ctx.db.write(async (tx) => {
        const all = tx.updateTable('badges__badge').set({ past_after: 0 })
        await (badgeId === undefined ? all : all.where('id', '=', badgeId)).execute()
        await soon()
      })
    },
    /** Looks for badges that came with another plugin. */
    watch(): void {
      ctx.jobs.every('badges.definitions', TEN_MINUTES, async () => {
        if (await definitions.store()) await soon()
      })
    },
  }
}
export type Past = ReturnType<typeof createPast>
