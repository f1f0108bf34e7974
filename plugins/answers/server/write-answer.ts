import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import { insertedId } from '@stoa/sdk/server'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceErrors } from '../../experiences/shared/api.ts'
import type { AnswerDraft } from '../shared/api.ts'
import { answerErrors, answerEvents, answerHooks } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'

const SHORTEST = 6
const OPEN = 1
const CLOSED = 2

/** Field error of a text, or undefined. Blanks around it do not count. */
export function contentError(content: string): string | undefined {
  if (content.trim() === '') return 'error.answer.content_empty'
  return [...content.trim()].length < SHORTEST ? 'error.answer.content_short' : undefined
}

/** Takes a new answer. @returns its running number */
export async function writeAnswer(
  capabilities: Capabilities,
  author: Person,
  experience: number | undefined,
  content: string,
): Promise<number> {
  const { ctx, posts, permissions } = capabilities
  const problem = contentError(content)
  if (problem) throw fieldErrors({ content: problem }, { limit: SHORTEST })
  const post = experience === undefined ? undefined : await posts.find(experience)
  if (!post || !posts.mayView(author, post)) throw experienceErrors.not_found({ id: experience })
  refuseClosed(post)
  await permissions.require(author, 'answer.add')
  const draft = await ctx.run(answerHooks.beforePublish, { experience: post.n, content }, author)
  return ctx.db.write(async () => storeAnswer(capabilities, author, draft))
}

/** Only open posts take answers: neither closed nor waiting for review nor deleted. */
function refuseClosed(post: PostFacts): void {
  if (post.status === CLOSED) throw answerErrors.experience_closed_cannot_add({ id: post.id })
  if (post.status !== OPEN) throw experienceErrors.not_found({ id: post.id })
}

/** Stores an answer that was checked; in the caller's transaction. */
export async function storeAnswer(
  { ctx, posts, settings, markdown, people }: Capabilities,
  author: Person,
  draft: AnswerDraft,
): Promise<number> {
  return ctx.db.write(async (tx) => {
    const at = ctx.now()
    const { experience } = draft
    const n = await insertedId(tx, 'answers__answer', { experience, person_id: author.id, created_at: at })
    const html = markdown.render(draft.content, { profile: 'post', mentions: true })
    await tx
      .insertInto('answers__text')
      .values({ answer_id: n, content: draft.content, html, excerpt: markdown.excerpt(html) })
      .execute()
    // From here the post's row is locked: of two answers at once, one sees the other.
    await posts.answered(experience, { delta: 1, answer: n, personId: author.id, at })
    const other = await tx
      .selectFrom('answers__answer')
      .select('id')
      .where('experience', '=', experience)
      .where('person_id', '=', author.id)
      .where('status', '!=', answerStatus.deleted)
      .where('id', '!=', n)
      .limit(1)
      .executeTakeFirst()
    if (other && (await settings.get('write')).restrict_answer)
      throw answerErrors.restrict_answer({ id: ctx.ids.encode('answer', other.id) })
    await people.count(author.id, 'answer_count', 1)
    await ctx.run(answerHooks.stored, { n, draft: { ...draft, n }, authorId: author.id, created: true })
    await ctx.emit(answerEvents.created, { n, experience, authorId: author.id })
    await tellChanged(ctx, { n, experience })
    return n
  })
}
