import type { ReadContext } from '@stoa/sdk/server'
import { isAmong, isStaff } from '@stoa/sdk/server'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RewardedObject } from '../../accounts/shared/api.ts'
import type { CommentedView } from '../../comments/shared/api.ts'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { visibleExperiences } from '../../experiences/shared/api.ts'
import type { VotedObject } from '../../votes/shared/api.ts'
import { publicIds } from './public-ids.ts'
import { cardsOf, visiblePosts } from './read-answers.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

/** Fills a person's own votes on answers; what they may not see any more stays empty. */
export async function fillOwnVotes(
  ctx: ReadContext<Tables>,
  votes: { kind: string; n: number; view: VotedObject | null }[],
): Promise<void> {
  await fillAnswers(ctx, votes, () => true)
}

/** Fills answers that brought somebody reputation; those below posts that stand in no list are named to the authors of these and to staff alone. */
export async function fillRewarded(
  ctx: ReadContext<Tables>,
  items: { kind: string; n: number; view: RewardedObject | null }[],
): Promise<void> {
  await fillAnswers(ctx, items, (post) => post.show === 1 || isStaff(ctx.person) || post.authorId === ctx.person?.id)
}

async function fillAnswers(
  ctx: ReadContext<Tables>,
  items: { kind: string; n: number; view: VotedObject | null }[],
  isNamed: (post: PostFacts) => boolean,
): Promise<void> {
  const own = items.filter((item) => item.kind === 'answer')
  if (own.length === 0) return
  const answers = await cardsOf(ctx, { ns: own.map(({ n }) => n) })
  const posts = await visiblePosts(
    ctx,
    Object.values(answers).map((answer) => answer.experience),
  )
  const ids = await publicIds(ctx)
  for (const vote of own) {
    const answer = answers[vote.n]
    const post = answer && posts.get(answer.experience)
    if (!post || !isNamed(post) || answer.status !== answerStatus.available) continue
    const id = ids.answer(vote.n)
    const { title, urlTitle: url_title } = post
    vote.view = { object_id: id, experience_id: ids.experience(post.n), answer_id: id, title, url_title, content: answer.html }
  }
}

/** The answers that {@link fillOwnVotes} fills. */
export const shownAnswers = async (ctx: ReadContext, { kind }: { kind: string }): Promise<RawBuilder<number> | undefined> =>
  kind === 'answer' ? answersBelow(await ctx.filters(visibleExperiences, { listed: false })) : undefined

/** The answers that {@link fillRewarded} fills. */
export const rewardedAnswers = async (ctx: ReadContext, { kind }: { kind: string }): Promise<RawBuilder<number> | undefined> =>
  kind === 'answer' ? answersBelow(await ctx.filters(visibleExperiences, { listed: true })) : undefined

/** Ids of the answers that stand below posts which are in all of these. */
function answersBelow(posts: readonly RawBuilder<number>[]): RawBuilder<number> {
  const experience = sql.ref('answers__answer.experience')
  const conditions = [sql`status = ${answerStatus.available}`, ...posts.map((ids) => isAmong(experience, ids))]
  return sql<number>`select id from answers__answer where ${sql.join(conditions, sql` and `)}`
}

/** Names the answers that somebody's comments stand below. */
export async function fillOwnComments(ctx: ReadContext, comments: { kind: string; n: number; view: CommentedView }[]): Promise<void> {
  const ids = await publicIds(ctx)
  for (const { kind, n, view } of comments) if (kind === 'answer') view.answer_id = ids.answer(n)
}
