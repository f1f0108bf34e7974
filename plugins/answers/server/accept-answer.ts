import type { Person } from '@stoa/sdk'
import type { Kysely } from 'kysely'
import type { ReputationChange } from '../../accounts/shared/api.ts'
import { moveReputation } from '../../accounts/shared/api.ts'
import { experienceErrors, isLive } from '../../experiences/shared/api.ts'
import { answerErrors, answerEvents } from '../shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { answerOf } from './keep-history.ts'
import { experienceNumber, findAnswer, requireAnswer } from './rows.ts'
import type { AnswerRow, Tables } from './tables.ts'
import { answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'

/** Source: behaviour reference 7.1. Outside the daily cap for the author of the answer. */
const TO_AUTHOR = 15
const TO_ACCEPTER = 2

/**
 * Marks the answer that helped, or takes the mark back with `answerId` empty or `0`. For the author of the experience and people with
 * `answer.accept`. An earlier mark goes first, with its reputation. Accepting the marked answer again changes nothing.
 */
export async function acceptAnswer(capabilities: Capabilities, person: Person, experienceId: string, answerId: string): Promise<void> {
  const { ctx, posts, permissions } = capabilities
  const experience = experienceNumber(ctx.ids, experienceId)
  const post = experience === undefined ? undefined : await posts.find(experience)
  if (!post || !posts.mayView(person, post) || !isLive(post)) throw experienceErrors.not_found({ id: experienceId })
  if (post.authorId !== person.id) await permissions.require(person, 'answer.accept')
  const chosen = answerId === '' || answerId === '0' ? undefined : await requireAnswer(ctx.db.query, ctx.ids, answerId, person)
  if (chosen && (chosen.experience !== post.n || chosen.status !== answerStatus.available))
    throw answerErrors.cannot_accept({ id: answerId })

  await ctx.db.write(async (tx) => {
    // Held: of two acceptances at once, the second sees what the first did.
    await posts.hold(post.n)
    const held = await posts.find(post.n)
    if (!held || !isLive(held)) throw experienceErrors.not_found({ id: experienceId })
    await posts.accept(post.n, chosen?.id ?? 0)
    const marked = await tx
      .selectFrom('answers__answer')
      .select('id')
      .where('experience', '=', post.n)
      .where('accepted', '=', 1)
      .executeTakeFirst()
    if (marked?.id === chosen?.id) return
    const undone: ReputationChange[] = []
    const made: ReputationChange[] = []
    if (marked) {
      const before = (await findAnswer(tx, marked.id)) as AnswerRow
      await unmark(capabilities, tx, before)
      undone.push(...rewardsOf(capabilities, before, post.authorId))
      await tellChanged(ctx, { n: before.id, experience: post.n })
    }
    if (chosen) {
      const { numUpdatedRows } = await tx
        .updateTable('answers__answer')
        .set({ accepted: 1 })
        .where('id', '=', chosen.id)
        .where('status', '=', answerStatus.available)
        .executeTakeFirst()
      // Deleted since it was looked at.
      if (numUpdatedRows === 0n) throw answerErrors.cannot_accept({ id: answerId })
      // Staff earn nothing by accepting for others.
      const isOwn = person.id === post.authorId
      made.push(...rewardsOf(capabilities, chosen, post.authorId).filter(({ personId }) => isOwn || personId !== post.authorId))
      await capabilities.history.current?.note({ ...answerOf(chosen), type: 'accept', personId: person.id })
      await ctx.emit(answerEvents.accepted, { n: chosen.id, experience: post.n, byId: person.id })
      await tellChanged(ctx, { n: chosen.id, experience: post.n })
    }
    await moveReputation(capabilities.reputation.current, undone, made)
  })
}

/** Takes the mark off an answer that goes away, on both sides. In the caller's transaction. */
export async function clearAcceptance(capabilities: Capabilities, tx: Kysely<Tables>, row: AnswerRow): Promise<void> {
  const post = await capabilities.posts.find(row.experience)
  await capabilities.posts.accept(row.experience, 0)
  await unmark(capabilities, tx, row)
  await moveReputation(capabilities.reputation.current, rewardsOf(capabilities, row, post?.authorId ?? 0), [])
}

async function unmark({ history }: Capabilities, tx: Kysely<Tables>, row: AnswerRow): Promise<void> {
  await tx.updateTable('answers__answer').set({ accepted: 0 }).where('id', '=', row.id).execute()
  await history.current?.takeBack({ kind: 'answer', n: row.id, type: 'accept' })
}

/** What the mark of an answer is worth, to whom. Nobody earns by accepting an own answer. */
function rewardsOf({ ctx }: Capabilities, row: AnswerRow, ownerId: number): ReputationChange[] {
  if (row.person_id === ownerId) return []
  const objectId = ctx.ids.encode('answer', row.id)
  const toAuthor = { personId: row.person_id, delta: TO_AUTHOR, reason: 'answer.accepted', objectId, capped: false }
  return ownerId ? [toAuthor, { personId: ownerId, delta: TO_ACCEPTER, reason: 'answer.accept', objectId }] : [toAuthor]
}
