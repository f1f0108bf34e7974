import type { ReadContext } from '@stoa/sdk/server'
import { isStaff } from '@stoa/sdk/server'
import type { RewardedObject } from '../../accounts/shared/api.ts'
import type { CommentedView } from '../../comments/shared/api.ts'
import type { PostFacts } from '../../experiences/shared/api.ts'
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

/** Names the answers that somebody's comments stand below. */
export async function fillOwnComments(ctx: ReadContext, comments: { kind: string; n: number; view: CommentedView }[]): Promise<void> {
  const ids = await publicIds(ctx)
  for (const { kind, n, view } of comments) if (kind === 'answer') view.answer_id = ids.answer(n)
}
