import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import type { TagChoice } from '../../experiences/shared/api.ts'
import { postStatus } from '../../experiences/shared/api.ts'
import type { Verdict } from '../../review/shared/api.ts'
import type { AnswerDraft } from '../shared/api.ts'
import { answerHooks } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { askReviewers, contentError, renderAnswer, storeAnswer } from './write-answer.ts'

export interface Both {
  title: string
  content: string
  answer_content: string
  tags?: unknown[] | null | undefined
}

const isTag = (tag: unknown): tag is TagChoice =>
  typeof tag === 'object' &&
  tag !== null &&
  ['slug_name', 'display_name', 'original_text'].every((key) => typeof ((tag as Record<string, unknown>)[key] ?? '') === 'string')

/** Stores an experience together with its answer, or neither. @returns the running number of the answer */
export async function publishBoth(capabilities: Capabilities, author: Person, both: Both): Promise<number> {
  const { ctx, posts, permissions } = capabilities
  if (both.tags && !both.tags.every(isTag)) throw fieldErrors({ tags: 'error.answer.tag_malformed' })
  await permissions.require(author, 'answer.add')
  const problem = contentError(both.answer_content)
  const fields = problem ? { answer_content: problem } : undefined
  // Hooks may await other services, so they run before the transaction; the experience's number is not known to them yet.
  const draft: AnswerDraft | undefined = fields
    ? undefined
    : await ctx.run(answerHooks.beforePublish, { experience: 0, content: both.answer_content }, author)
  const storePost = await posts.prepare(
    { title: both.title.trim(), content: both.content, tags: both.tags === undefined ? null : ((both.tags ?? []) as TagChoice[]) },
    author,
    fields,
  )
  const answer = draft as AnswerDraft
  const html = await renderAnswer(capabilities, answer)
  const own = await askReviewers(capabilities, answer, author, both.title.trim())
  return ctx.db.write(async () => {
    const post = await storePost()
    // Below a post that waits, its answer waits as well.
    const verdict: Verdict | undefined =
      post.status === postStatus.available || own?.outcome === 'reject' ? own : { outcome: 'wait', reasons: own?.reasons ?? [] }
    return storeAnswer(capabilities, author, { ...answer, experience: post.n }, html, verdict)
  })
}
