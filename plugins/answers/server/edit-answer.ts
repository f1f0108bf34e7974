import type { Person } from '@stoa/sdk'
import { defineErrors, fieldErrors, isStaff } from '@stoa/sdk'
import { personCards } from '../../accounts/shared/api.ts'
import { isLive } from '../../experiences/shared/api.ts'
import type { PresentText, Revisable } from '../../history/shared/api.ts'
import type { AnswerDraft, ChangedMeanwhile } from '../shared/api.ts'
import { answerErrors, answerEvents, answerHooks } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { changeOf, textOf } from './keep-history.ts'
import { presentAnswer } from './read-tokens.ts'
import { findAnswer, heldAnswer, requireAnswer, requirePost } from './rows.ts'
import type { AnswerRow } from './tables.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'
import { askReviewers, contentError, renderAnswer } from './write-answer.ts'

/** To an edit that names the version it was made from: somebody else was quicker. Its data is a `ChangedMeanwhile`. */
const { changed_meanwhile: changedMeanwhile } = defineErrors('error.answer', {
  changed_meanwhile: { status: 409, message: 'Answer {id} was changed meanwhile' },
})

export interface Edit {
  id: string
  content: string
  edit_summary?: string | undefined
  /** Version the edit was made from; undefined: whatever stands there. */
  base?: number | undefined
}

/**
 * Changes an answer: directly by its author, staff and people with `answer.edit_without_review`; others with `answer.edit` propose.
 * Unchanged text is a silent success.
 * @returns whether the change waits for review
 * @throws `error.answer.changed_meanwhile` when the text has another version than `base`
 */
export async function editAnswer(capabilities: Capabilities, editor: Person, edit: Edit): Promise<{ wait_for_review: boolean }> {
  const { ctx, history } = capabilities
  const problem = contentError(edit.content)
  if (problem) throw fieldErrors({ content: problem }, { limit: 6 })
  const row = await requireAnswer(ctx.db.query, ctx.ids, edit.id, editor)
  const way = await requireEdit(capabilities, editor, row)
  const present = await presentAt(capabilities, row, edit.base)
  if (present.text.content === edit.content) return { wait_for_review: false }

  const summary = edit.edit_summary?.slice(0, 255) ?? ''
  const proposal: AnswerDraft = { n: row.id, experience: row.experience, content: edit.content, summary }
  const draft = await ctx.run(answerHooks.beforePublish, proposal, editor)
  const verdict = way === 'direct' && row.status !== answerStatus.pending ? await askReviewers(capabilities, draft, editor, '') : undefined
  const isHeld = verdict !== undefined && verdict.outcome !== 'publish'
  if (isHeld && !history.current) capabilities.gate.current?.refuse(verdict)
  if (isHeld) await history.current?.refuseWaiting({ kind: 'answer', n: row.id })
  if (way === 'suggestion' || isHeld) {
    if (await ctx.run(answerHooks.proposed, draft, editor)) return { wait_for_review: true }
    await ctx.db.write(async (tx) => {
      // Holds the text as it is until the suggestion names it.
      await tx
        .updateTable('answers__text')
        .set((eb) => ({ version: eb.ref('version') }))
        .where('answer_id', '=', row.id)
        .execute()
      const { text: before } = await presentAt(capabilities, row, edit.base)
      await history.current?.suggest({ ...changeOf(row, editor.id, summary), before, after: textOf(edit.content) })
    })
    return { wait_for_review: true }
  }
  await (await prepareText(capabilities, row, draft, { editorId: editor.id, base: edit.base, isRecorded: false }))()
  return { wait_for_review: false }
}

/**
 * How somebody may edit an answer: its author, staff and people of much reputation at once, others by a suggestion. While one waits, only the author
 * and staff may.
 */
export async function requireEdit(
  { ctx, posts, permissions, history }: Capabilities,
  person: Person,
  row: AnswerRow,
): Promise<'direct' | 'suggestion'> {
  const post = await requirePost(posts, row, person)
  if (row.status === answerStatus.deleted || !isLive(post)) throw answerErrors.cannot_update({ id: ctx.ids.encode('answer', row.id) })
  if (row.person_id === person.id || isStaff(person)) return 'direct'
  const isDirect = (await permissions.may(person, 'answer.edit_without_review')).allowed
  if (!isDirect) await permissions.require(person, history.current ? 'answer.edit' : 'answer.edit_without_review')
  await history.current?.refuseWaiting({ kind: 'answer', n: row.id })
  return isDirect ? 'direct' : 'suggestion'
}

/** Renders a text. @returns what stores it, in the caller's transaction if there is one */
async function prepareText(
  capabilities: Capabilities,
  row: AnswerRow,
  draft: AnswerDraft,
  { editorId, base, isRecorded }: { editorId: number; base: number | undefined; isRecorded: boolean },
): Promise<() => Promise<void>> {
  const { ctx, markdown, files, history, posts } = capabilities
  const html = await renderAnswer(capabilities, draft)
  const values = { content: draft.content, html, excerpt: markdown.excerpt(html) }
  return () =>
    ctx.db.write(async (tx) => {
      // Deleted while this was rendered, perhaps.
      const present = await heldAnswer(posts, tx, ctx.db.dialect, row.id)
      if (!present || present.status === answerStatus.deleted) throw answerErrors.cannot_update({ id: row.id })
      const store = async (): Promise<PresentText> => {
        const before = await presentAt(capabilities, row, base)
        const { numUpdatedRows } = await tx
          .updateTable('answers__text')
          .set({ ...values, version: before.version + 1 })
          .where('answer_id', '=', row.id)
          .where('version', '=', before.version)
          .executeTakeFirst()
        return numUpdatedRows > 0n ? before : store()
      }
      const { text: before, version } = await store()
      await files.current?.hold({ kind: 'answer', n: row.id, authorId: row.person_id }, html, true)
      await posts.link(row.experience, `answer:${row.id}`, html)
      await tx.updateTable('answers__answer').set({ editor_id: editorId, updated_at: ctx.now() }).where('id', '=', row.id).execute()
      await ctx.run(answerHooks.stored, { n: row.id, draft, authorId: row.person_id, created: false })
      if (!isRecorded)
        await history.current?.record({ ...changeOf(row, editorId, draft.summary ?? ''), before, after: textOf(draft.content) })
      await ctx.emit(answerEvents.edited, { n: row.id, experience: row.experience, editorId, version: version + 1 })
      await tellChanged(ctx, { n: row.id, experience: row.experience })
    })
}

/** The text of an answer. @throws `error.answer.changed_meanwhile` when it has another version than `base` */
async function presentAt({ ctx }: Capabilities, { id, editor_id }: AnswerRow, base: number | undefined): Promise<PresentText> {
  const present = await ctx.read(presentAnswer, { n: id })
  if (!present) throw answerErrors.not_found({ id })
  if (base === undefined || base === present.version) return present
  const by = (await findAnswer(ctx.db.query, id))?.editor_id ?? editor_id
  const editor = (await ctx.read(personCards, { ids: [by] }))[by]?.display_name ?? ''
  const data: ChangedMeanwhile = { version: present.version, content: present.text.content, editor }
  throw changedMeanwhile({ id }, data)
}

/** An edit by staff, from a list of flags: checks and renders. @returns what stores it */
export async function prepareEdit(capabilities: Capabilities, editor: Person, id: string, content: string): Promise<() => Promise<void>> {
  const { ctx } = capabilities
  const problem = contentError(content)
  if (problem) throw fieldErrors({ content: problem }, { limit: 6 })
  const row = await requireAnswer(ctx.db.query, ctx.ids, id, editor)
  await requireEdit(capabilities, editor, row)
  const draft = await ctx.run(answerHooks.beforePublish, { n: row.id, experience: row.experience, content }, editor)
  return prepareText(capabilities, row, draft, { editorId: editor.id, base: undefined, isRecorded: false })
}

/** Lets suggested edits of answers be taken. */
export function revisableAnswers(capabilities: Capabilities): Revisable {
  const { ctx, posts } = capabilities
  return {
    kind: 'answer',
    async prepare({ n, text, version, editorId, summary }, reviewer) {
      const row = await findAnswer(ctx.db.query, n)
      const post = row && (await posts.find(row.experience))
      if (!row || !post || row.status === answerStatus.deleted || !isLive(post)) throw answerErrors.cannot_update({ id: n })
      const proposal: AnswerDraft = { n, experience: row.experience, content: text.content, summary }
      const draft = await ctx.run(answerHooks.beforePublish, proposal, reviewer)
      return prepareText(capabilities, row, draft, { editorId, base: version, isRecorded: true })
    },
  }
}
