import { job } from '@stoa/sdk'
import type { ServerContext, Wanted } from '@stoa/sdk/server'
import { peopleWithBio } from '../../accounts/shared/api.ts'
import { acceptedAnswers, answerCards } from '../../answers/shared/api.ts'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceCards, isLive } from '../../experiences/shared/api.ts'
import { editorsOf } from '../../history/shared/api.ts'
import { reactors } from '../../reactions/shared/api.ts'
import { upvoters, upvotes } from '../../votes/shared/api.ts'
import type { BadgePast, badgePasts, Deserved, PastBatch } from '../shared/api.ts'
import type { Awarding } from './award.ts'
import { editedKinds, upvotesFor } from './conditions.ts'
import type { Definitions } from './definitions.ts'
import type { Tables } from './tables.ts'
import { badgeStatus, heldBadges } from './tables.ts'

/** Rows that are looked at together. */
const BATCH = 1000
/** Awards that are stored together. */
const STORED = 200
/** Of one run. Readers then have the machine to themselves for `REST` times as long as it took. */
const BATCHES_A_RUN = 20
const REST = 9
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
      isLive({ status }) ? [{ personId: authorId, object: { kind, n } }] : [],
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
 * Awards what people deserve by what is stored: once for each badge that is new here, again when badges was off, or the badge was. Some batches a
 * job and then a rest, so that nobody notices, and that it ends and goes on with the plugin.
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

  const waiting = async () => {
    const rows = await ctx.db.query
      .selectFrom('badges__badge')
      .select(['id', 'name', 'past_after'])
      .where('past_after', 'is not', null)
      .where('status', '=', badgeStatus.active)
      .orderBy('id')
      .execute()
    return rows.filter(({ name }) => definitions.get(name))
  }

  const soon = () => ctx.jobs.enqueue(catchUp, {}, { key: 'badges.past' })

  /** @returns whether there may be more */
  async function award(most: number): Promise<boolean> {
    await definitions.store()
    let batches = 0
    for (const { id, name, past_after } of await waiting()) {
      let next = past_after
      while (next !== null && batches < most) {
        const batch: PastBatch = await (lookUp(name)?.(next) ?? nothing)
        for (let at = 0; at < batch.deserved.length; at += STORED) await awarding.giveSilently(name, batch.deserved.slice(at, at + STORED))
        next = batch.next
        batches++
      }
      await ctx.db.write((tx) =>
        tx
          .updateTable('badges__badge')
          .set({ past_after: next })
          .where('id', '=', id)
          // Somebody may have asked for all of it again meanwhile.
          .where('past_after', '=', past_after)
          .execute(),
      )
      if (batches >= most) return true
    }
    return false
  }

  ctx.jobs.handle(catchUp, async () => {
    const began = performance.now()
    if (!(await award(BATCHES_A_RUN))) return
    const rest = Math.ceil(((performance.now() - began) / 1000) * REST)
    await ctx.jobs.enqueue(catchUp, {}, { key: 'badges.past', runAt: ctx.now() + rest })
  })

  /** All of it again; of one badge where its number is given. In the caller's transaction if there is one. */
  async function again(badgeId?: number): Promise<void> {
    await ctx.db.write(async (tx) => {
      if (badgeId === undefined) await heldBadges(tx, ctx.db.dialect)
      const all = tx.updateTable('badges__badge').set({ past_after: 0 })
      await (badgeId === undefined ? all : all.where('id', '=', badgeId)).execute()
      await soon()
    })
  }

  return {
    soon,
    again,
    /** The site is new: nobody has done anything yet. */
    async beginHere(): Promise<void> {
      await definitions.store()
      await ctx.db.write(async (tx) => {
        await heldBadges(tx, ctx.db.dialect)
        await tx.updateTable('badges__badge').set({ past_after: null }).execute()
      })
    },
    async all(): Promise<void> {
      await definitions.store()
      await again()
      await award(Number.POSITIVE_INFINITY)
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
