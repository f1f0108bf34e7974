import type { Person } from '@stoa/sdk'
import type { Kysely } from 'kysely'
import { experiencePath, isLive } from '../../experiences/shared/api.ts'
import { hasUploads } from '../../uploads/shared/api.ts'
import { answerErrors, answerEvents, answerHooks } from '../shared/api.ts'
import { clearAcceptance } from './accept-answer.ts'
import type { Capabilities } from './capabilities.ts'
import { answerOf } from './keep-history.ts'
import { heldAnswer, requireAnswer, requirePost, standingAnswer } from './rows.ts'
import type { AnswerRow, Tables } from './tables.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'
import { tellCreated } from './write-answer.ts'

const BY_NUMBER = 2

/** Authors delete and bring back their own until staff have the last word. */
async function requireAct({ permissions }: Capabilities, person: Person, row: AnswerRow, permission: string): Promise<void> {
  if (row.person_id !== person.id || row.acted_by_staff) await permissions.require(person, permission)
}

/**
 * Deletes an answer. Authors may while nobody found it useful: not accepted, no positive votes. Staff always.
 * Reputation that its votes brought and cost goes with it; that of the acceptance goes with the mark.
 */
export async function deleteAnswer(capabilities: Capabilities, person: Person, id: string): Promise<void> {
  const { ctx, posts, permissions } = capabilities
  const row = await requireAnswer(ctx.db.query, ctx.ids, id, person)
  await requirePost(posts, row, person)
  await requireAct(capabilities, person, row, 'answer.delete')
  const { allowed } = await permissions.may(person, 'answer.delete')
  if (!allowed && (row.accepted || row.vote_count > 0)) throw answerErrors.cannot_deleted({ id })
  await setAnswerStatus(capabilities, row, answerStatus.deleted, person)
}

/** Brings a deleted answer back, with the reputation of its votes, not as the accepted one. */
export async function recoverAnswer(capabilities: Capabilities, person: Person, id: string): Promise<void> {
  const { ctx, posts } = capabilities
  const row = await requireAnswer(ctx.db.query, ctx.ids, id, person)
  await requireAct(capabilities, person, row, 'answer.undeleted')
  await requirePost(posts, row, person)
  if (row.status !== answerStatus.deleted) return
  await setAnswerStatus(capabilities, row, answerStatus.available, person)
}

/**
 * Sets the status with everything that counts it. Nothing happens when it is that already.
 * @param person who does it; null: the site itself
 */
export async function setAnswerStatus(
  capabilities: Capabilities,
  { id }: Pick<AnswerRow, 'id'>,
  status: number,
  person: Person | null,
): Promise<void> {
  const { ctx, posts, people, reputation, threads, files, history } = capabilities
  const personId = person?.id ?? 0
  const at = ctx.now()
  const isShown = status === answerStatus.available
  await ctx.db.write(async (tx) => {
    const row = await heldAnswer(posts, tx, ctx.db.dialect, id)
    if (!row || row.status === status) return
    const byStaff = personId !== row.person_id
    await tx
      .updateTable('answers__answer')
      .set({ status, acted_by: personId, acted_by_staff: Number(byStaff), acted_at: at })
      .where('id', '=', id)
      .execute()
    const wasShown = row.status === answerStatus.available
    if (isShown !== wasShown) {
      const delta = isShown ? 1 : -1
      await posts.answerVotes(row.experience, delta * row.vote_count)
      if (row.accepted && !isShown) await clearAcceptance(capabilities, tx, row)
      await moveLast(capabilities, tx, row, delta)
      if (isShown) await refuseSecond(capabilities, tx, row)
      if (row.parent_listed) await people.count(row.person_id, 'answer_count', delta)
      await reputation.current?.[isShown ? 'giveBack' : 'withdraw'](ctx.ids.encode('answer', row.id))
      const { html } = await tx.selectFrom('answers__text').select('html').where('answer_id', '=', row.id).executeTakeFirstOrThrow()
      await posts.link(row.experience, `answer:${row.id}`, isShown ? html : '')
      if (hasUploads(html)) {
        const post = await posts.find(row.experience)
        const isPublic = isShown && post !== undefined && isLive(post)
        await files.current?.hold({ kind: 'answer', n: row.id, authorId: row.person_id }, html, isPublic)
      }
      await ctx.run(answerHooks.shownChanged, { n: row.id, shown: isShown })
      await threads.current?.show('answer', [row.id], isShown && row.parent_listed === 1)
    }
    const act = status === answerStatus.deleted ? 'deleted' : row.status === answerStatus.deleted ? 'undeleted' : undefined
    if (act) await ctx.emit(answerEvents.acted, { n: row.id, experience: row.experience, act, personId, byStaff, at })
    if (act && person && byStaff) await logAct(capabilities, person, row, act)
    if (act) await history.current?.note({ ...answerOf(row), type: act, personId })
    await tellChanged(ctx, { n: row.id, experience: row.experience })
  })
}

/** Puts down what staff did to somebody else's answer, in the caller's transaction. */
async function logAct({ ctx, posts, log }: Capabilities, person: Person, row: AnswerRow, act: 'deleted' | 'undeleted'): Promise<void> {
  if (!log.current) return
  const id = ctx.ids.encode('answer', row.id)
  const post = ctx.ids.encode('experience', row.experience)
  const label = (await posts.find(row.experience))?.title ?? ''
  const object = { kind: 'answer', id, label, path: experiencePath(BY_NUMBER, { id: post }, id) }
  await log.current.record({ actorId: person.id, action: `answer.${act}`, object })
}

/** Publishes an answer that waits. @returns false when it does not */
export async function publishAnswer(capabilities: Capabilities, n: number): Promise<boolean> {
  const { ctx, posts } = capabilities
  return ctx.db.write(async (tx) => {
    const row = await heldAnswer(posts, tx, ctx.db.dialect, n)
    if (row?.status !== answerStatus.pending) return false
    const post = await posts.find(row.experience)
    if (!post || !isLive(post)) throw answerErrors.parent_waits({ id: n })
    await setAnswerStatus(capabilities, row, answerStatus.available, null)
    await tx.updateTable('answers__answer').set({ acted_by_staff: 0, acted_at: 0 }).where('id', '=', n).execute()
    await tellCreated(capabilities, { n, experience: row.experience, authorId: row.person_id })
    return true
  })
}

/** Deletes an answer that waits, by the site. @returns false when it does not */
export async function rejectAnswer(capabilities: Capabilities, n: number): Promise<boolean> {
  const { ctx, posts } = capabilities
  return ctx.db.write(async (tx) => {
    const row = await heldAnswer(posts, tx, ctx.db.dialect, n)
    if (row?.status !== answerStatus.pending) return false
    await setAnswerStatus(capabilities, row, answerStatus.deleted, null)
    return true
  })
}

/** One answer per person: whoever wrote another one meanwhile keeps that. */
async function refuseSecond({ ctx, settings }: Capabilities, tx: Kysely<Tables>, row: AnswerRow): Promise<void> {
  if (!(await settings.get('write')).restrict_answer) return
  const other = await standingAnswer(tx, row.experience, row.person_id, row.id)
  if (other) throw answerErrors.restrict_answer({ id: ctx.ids.encode('answer', other.id) })
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
