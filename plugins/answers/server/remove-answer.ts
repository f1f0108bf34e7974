import type { Person } from '@stoa/sdk'
import type { Kysely } from 'kysely'
import { answerErrors, answerHooks } from '../shared/api.ts'
import { clearAcceptance } from './accept-answer.ts'
import type { Capabilities } from './capabilities.ts'
import { findAnswer, requireAnswer, requirePost } from './rows.ts'
import type { AnswerRow, Tables } from './tables.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'

/**
 * Deletes an answer. Authors may while nobody found it useful: not accepted, no positive votes. Staff always.
 * Reputation that its votes brought and cost goes with it; that of the acceptance goes with the mark.
 */
export async function deleteAnswer(capabilities: Capabilities, person: Person, id: string): Promise<void> {
  const { ctx, posts, permissions } = capabilities
  const row = await requireAnswer(ctx.db.query, ctx.ids, id, person)
  await requirePost(posts, row, person)
  const { allowed } = await permissions.may(person, 'answer.delete')
  if (!allowed) {
    if (row.person_id !== person.id) await permissions.require(person, 'answer.delete')
    if (row.accepted || row.vote_count > 0) throw answerErrors.cannot_deleted({ id })
  }
  await setAnswerStatus(capabilities, row, answerStatus.deleted)
}

/** Brings a deleted answer back, with the reputation of its votes, not as the accepted one. */
export async function recoverAnswer(capabilities: Capabilities, person: Person, id: string): Promise<void> {
  const { ctx, permissions } = capabilities
  const row = await requireAnswer(ctx.db.query, ctx.ids, id, person)
  await permissions.require(person, 'answer.undeleted')
  await setAnswerStatus(capabilities, row, answerStatus.available)
}

/** Sets the status with everything that counts it. Nothing happens when it is that already. */
export async function setAnswerStatus(capabilities: Capabilities, row: AnswerRow, status: number): Promise<void> {
  const { ctx, posts, people, reputation, threads } = capabilities
  await ctx.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('answers__answer')
      .set({ status })
      .where('id', '=', row.id)
      .where('status', '!=', status)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const { accepted, vote_count, parent_listed } = (await findAnswer(tx, row.id)) as AnswerRow
    const isShown = status === answerStatus.available
    const wasShown = row.status === answerStatus.available
    if (isShown !== wasShown) {
      const delta = isShown ? 1 : -1
      if (accepted && !isShown) await clearAcceptance(capabilities, tx, row)
      await moveLast(capabilities, tx, row, delta)
      await posts.answerVotes(row.experience, delta * vote_count)
      await people.count(row.person_id, 'answer_count', delta)
      await reputation.current?.[isShown ? 'giveBack' : 'withdraw'](ctx.ids.encode('answer', row.id))
      await ctx.run(answerHooks.shownChanged, { n: row.id, shown: isShown })
      await threads.current?.show('answer', [row.id], isShown && parent_listed === 1)
    }
    await tellChanged(ctx, { n: row.id, experience: row.experience })
  })
}

/** Counts the answer at its experience, whose last answer afterwards is the newest that stands. */
async function moveLast({ posts }: Capabilities, tx: Kysely<Tables>, row: AnswerRow, delta: number): Promise<void> {
  const { experience } = row
  const last = await tx
    .selectFrom('answers__answer')
    .select(['id as answer', 'person_id as personId', 'created_at as at'])
    .where('experience', '=', experience)
    .where('status', '=', answerStatus.available)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (delta > 0) return last && posts.answered(experience, { delta: 1, ...last })
  await posts.answered(experience, { delta: -1, answer: row.id, personId: row.person_id, at: row.created_at })
  if (!last || last.answer > row.id) return
  // The last one went: the one before leaves as a number and comes again as the last.
  await posts.answered(experience, { delta: -1, answer: 0, personId: 0, at: 0 })
  await posts.answered(experience, { delta: 1, ...last })
}
