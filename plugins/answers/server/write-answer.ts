import type { Person } from '@stoa/sdk'
import { fieldErrors } from '@stoa/sdk'
import { insertedId } from '@stoa/sdk/server'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceErrors, isListed } from '../../experiences/shared/api.ts'
import type { Verdict } from '../../review/shared/api.ts'
import { hasUploads } from '../../uploads/shared/api.ts'
import type { AnswerDraft } from '../shared/api.ts'
import { answerErrors, answerEvents, answerHooks, answerLive } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { changeOf, textOf } from './keep-history.ts'
import { asAnswer } from './rendered-answers.ts'
import { standingAnswer } from './rows.ts'
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
  const html = await renderAnswer(capabilities, draft)
  const verdict = await askReviewers(capabilities, draft, author, post.title)
  return storeAnswer(capabilities, author, draft, html, verdict)
}

/** What reviewers say to a text; undefined while nobody asks them. */
export async function askReviewers(
  { gate }: Capabilities,
  { n, content }: AnswerDraft,
  author: Person,
  title: string,
): Promise<Verdict | undefined> {
  return gate.current?.ask({ kind: 'answer', ...(n && { n }), title, content, tags: [] }, author)
}

/** Only open posts take answers: neither closed nor waiting for review nor deleted. */
function refuseClosed(post: PostFacts): void {
  if (post.status === CLOSED) throw answerErrors.experience_closed_cannot_add({ id: post.id })
  if (post.status !== OPEN) throw experienceErrors.not_found({ id: post.id })
}

/** HTML of an answer; before the transaction. */
export const renderAnswer = ({ rendering }: Capabilities, { content }: AnswerDraft): Promise<string> => rendering.render(content, asAnswer)

/**
 * Stores an answer that was checked and rendered; in the caller's transaction if there is one. One that waits, or that no reviewer wants, is told to
 * nobody.
 */
export async function storeAnswer(
  capabilities: Capabilities,
  author: Person,
  draft: AnswerDraft,
  html: string,
  verdict?: Verdict,
): Promise<number> {
  const { ctx, posts, markdown, files, history, gate } = capabilities
  const status = { publish: answerStatus.available, wait: answerStatus.pending, reject: answerStatus.deleted }[
    verdict?.outcome ?? 'publish'
  ]
  const isShown = status === answerStatus.available
  return ctx.db.write(async (tx) => {
    const at = ctx.now()
    const { experience } = draft
    // Held: of two answers at once, one sees the other, and the post stays what it is now.
    await posts.hold(experience)
    const post = await posts.find(experience)
    if (!post) throw experienceErrors.not_found({ id: experience })
    if (isShown) refuseClosed(post)
    const n = await insertedId(tx, 'answers__answer', {
      experience,
      person_id: author.id,
      created_at: at,
      parent_listed: Number(isListed(post)),
      status,
      // By the site: its author does not bring it back.
      acted_by_staff: Number(status === answerStatus.deleted),
    })
    await tx
      .insertInto('answers__text')
      .values({ answer_id: n, content: draft.content, html, excerpt: markdown.excerpt(html) })
      .execute()
    if (hasUploads(html)) await files.current?.hold({ kind: 'answer', n, authorId: author.id }, html, isShown)
    if (isShown) await posts.answered(experience, { delta: 1, answer: n, personId: author.id, at })
    if (status !== answerStatus.deleted) await refuseSecond(capabilities, tx, { experience, person_id: author.id, id: n })
    await ctx.run(answerHooks.stored, { n, draft: { ...draft, n }, authorId: author.id, created: true })
    const row = { id: n, experience, person_id: author.id, created_at: at }
    await history.current?.record({ ...changeOf(row, author.id, ''), before: null, after: textOf(draft.content) })
    if (isShown) await announce(capabilities, { n, experience, authorId: author.id }, html, isListed(post))
    else if (verdict) await gate.current?.keep({ kind: 'answer', n, authorId: author.id }, verdict)
    return n
  })
}

/** One answer per person, where the owner of the site wants it so. */
async function refuseSecond(
  { ctx, settings }: Capabilities,
  tx: Parameters<typeof standingAnswer>[0],
  { experience, person_id, id }: { experience: number; person_id: number; id: number },
): Promise<void> {
  const other = await standingAnswer(tx, experience, person_id, id)
  if (other && (await settings.get('write')).restrict_answer) throw answerErrors.restrict_answer({ id: ctx.ids.encode('answer', other.id) })
}

/** Counts an answer for its author, where everybody can see it, and tells of it. */
async function announce(
  { ctx, posts, people }: Capabilities,
  { n, experience, authorId }: { n: number; experience: number; authorId: number },
  html: string,
  listed: boolean,
): Promise<void> {
  if (listed) await people.count(authorId, 'answer_count', 1)
  if (html.includes('/experiences/')) await posts.link(experience, `answer:${n}`, html)
  await tellCreated({ ctx }, { n, experience, authorId })
}

/** An answer was published. */
export async function tellCreated(
  { ctx }: Pick<Capabilities, 'ctx'>,
  { n, experience, authorId }: { n: number; experience: number; authorId: number },
): Promise<void> {
  await ctx.emit(answerEvents.created, { n, experience, authorId })
  await tellChanged(ctx, { n, experience })
  await ctx.live.push(answerLive.added, ctx.ids.encode('experience', experience), {
    id: ctx.ids.encode('answer', n),
    authorId: String(authorId),
  })
}
