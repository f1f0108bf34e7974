import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { Needed, ServerContext } from '@stoa/sdk/server'
import { answerCards } from '../../answers/shared/api.ts'
import type { posts } from '../../experiences/shared/api.ts'
import { isLive, postStatus } from '../../experiences/shared/api.ts'
import { reactionErrors } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  posts: Needed<typeof posts>
}

/** What somebody reacts to. */
export interface Target {
  kind: string
  n: number
  authorId: number
}

interface Found extends Target {
  /** Neither deleted nor waiting for review. */
  isLive: boolean
}

/** @throws `error.object.not_found` for what is neither post nor answer, is gone, or is not for this person's eyes */
export async function requireObject({ ctx, posts }: Capabilities, person: Person | null, id: string): Promise<Found> {
  const decoded = ctx.ids.decode(id)
  const found =
    decoded && (await (decoded.kind === 'experience' ? findPost : decoded.kind === 'answer' ? findAnswer : undefined)?.(decoded.n))
  if (!found) throw reactionErrors.not_found({ id })
  return found

  async function findPost(n: number): Promise<Found | undefined> {
    const post = await posts.find(n)
    if (!post || !posts.mayView(person, post)) return undefined
    return { kind: 'experience', n, authorId: post.authorId, isLive: isLive(post) }
  }

  async function findAnswer(n: number): Promise<Found | undefined> {
    const answers = await ctx.read(answerCards, { ns: [n] }, { otherwise: undefined })
    const answer = answers?.[n]
    if (!answer) return undefined
    const isShown = answer.status === postStatus.available
    if (!isShown && !isStaff(person) && answer.authorId !== person?.id) return undefined
    const post = await findPost(answer.experience)
    return post && { kind: 'answer', n, authorId: answer.authorId, isLive: isShown && post.isLive }
  }
}
