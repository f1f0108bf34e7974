import type { Person } from '@stoa/sdk'
import { fieldErrors, isStaff } from '@stoa/sdk'
import type { AnswerDraft } from '../shared/api.ts'
import { answerErrors, answerHooks } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { isLive, requireAnswer, requirePost } from './rows.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'
import { contentError } from './write-answer.ts'

export interface Edit {
  id: string
  content: string
  edit_summary?: string | undefined
}

/**
 * Changes an answer: directly by its author, staff and people with `answer.edit_without_review`; others with `answer.edit` propose.
 * Unchanged text is a silent success.
 * @returns whether the change waits for review
 */
export async function editAnswer(
  { ctx, posts, permissions, markdown }: Capabilities,
  editor: Person,
  edit: Edit,
): Promise<{ wait_for_review: boolean }> {
  const problem = contentError(edit.content)
  if (problem) throw fieldErrors({ content: problem }, { limit: 6 })
  const row = await requireAnswer(ctx.db.query, ctx.ids, edit.id, editor)
  const post = await requirePost(posts, row, editor)
  if (row.status === answerStatus.deleted || !isLive(post)) throw answerErrors.cannot_update({ id: edit.id })
  const isOwner = row.person_id === editor.id
  if (!isOwner && !isStaff(editor)) await permissions.require(editor, 'answer.edit')
  const { content } = await ctx.db.query
    .selectFrom('answers__text')
    .select('content')
    .where('answer_id', '=', row.id)
    .executeTakeFirstOrThrow()
  if (content === edit.content) return { wait_for_review: false }

  const proposal: AnswerDraft = {
    n: row.id,
    experience: row.experience,
    content: edit.content,
    summary: edit.edit_summary?.slice(0, 255) ?? '',
  }
  const draft = await ctx.run(answerHooks.beforePublish, proposal, editor)
  const isDirect = isOwner || isStaff(editor) || (await permissions.may(editor, 'answer.edit_without_review')).allowed
  if (!isDirect) {
    if (await ctx.run(answerHooks.proposed, draft, editor)) return { wait_for_review: true }
    await permissions.require(editor, 'answer.edit_without_review')
  }
  await ctx.db.write(async (tx) => {
    const html = markdown.render(draft.content, { profile: 'post', mentions: true })
    await tx
      .updateTable('answers__text')
      .set({ content: draft.content, html, excerpt: markdown.excerpt(html) })
      .where('answer_id', '=', row.id)
      .execute()
    await tx.updateTable('answers__answer').set({ editor_id: editor.id, updated_at: ctx.now() }).where('id', '=', row.id).execute()
    await ctx.run(answerHooks.stored, { n: row.id, draft, authorId: row.person_id, created: false })
    await tellChanged(ctx, { n: row.id, experience: row.experience })
  })
  return { wait_for_review: false }
}
