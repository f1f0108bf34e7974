import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { Dialect, Ids } from '@stoa/sdk/server'
import { forUpdate } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { PostFacts, Posts } from '../../experiences/shared/api.ts'
import { answerErrors } from '../shared/api.ts'
import type { AnswerRow, Tables } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'

/** Running number of an answer's public id, long or short; undefined for anything else. */
export function answerNumber(ids: Ids, text: string | undefined): number | undefined {
  const decoded = text ? ids.decode(text) : null
  return decoded?.kind === 'answer' ? decoded.n : undefined
}

/** Running number of an experience's public id; undefined for anything else. */
export function experienceNumber(ids: Ids, text: string | undefined): number | undefined {
  const decoded = text ? ids.decode(text) : null
  return decoded?.kind === 'experience' ? decoded.n : undefined
}

export function findAnswer(db: Kysely<Tables>, n: number): Promise<AnswerRow | undefined> {
  return db.selectFrom('answers__answer').select(answerColumns).where('id', '=', n).executeTakeFirst()
}

/** An answer as it is now, held with its post against other writers until the transaction ends. SQLite has one writer anyway. */
export async function heldAnswer(
  posts: Pick<Posts, 'hold'>,
  tx: Kysely<Tables>,
  dialect: Dialect,
  n: number,
): Promise<AnswerRow | undefined> {
  const found = await findAnswer(tx, n)
  if (!found) return undefined
  await posts.hold(found.experience)
  return tx.selectFrom('answers__answer').select(answerColumns).where('id', '=', n).$call(forUpdate(dialect)).executeTakeFirst()
}

/** Another answer of a person to a post, that is not deleted; undefined when there is none. */
export function standingAnswer(db: Kysely<Tables>, experience: number, person: number, but: number): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('answers__answer')
    .select('id')
    .where('experience', '=', experience)
    .where('person_id', '=', person)
    .where('status', '!=', answerStatus.deleted)
    .where('id', '!=', but)
    .limit(1)
    .executeTakeFirst()
}

/** @throws `error.answer.not_found` for an id that is none, or that `person` may not see. */
export async function requireAnswer(db: Kysely<Tables>, ids: Ids, text: string, person: Person | null): Promise<AnswerRow> {
  const n = answerNumber(ids, text)
  const row = n === undefined ? undefined : await findAnswer(db, n)
  if (!row || !maySee(person, row)) throw answerErrors.not_found({ id: text })
  return row
}

/** The post of an answer. @throws `error.answer.not_found` when `person` may not see it, and so not its answers */
export async function requirePost(posts: Pick<Posts, 'find' | 'mayView'>, row: AnswerRow, person: Person): Promise<PostFacts> {
  const post = await posts.find(row.experience)
  if (!post || !posts.mayView(person, post)) throw answerErrors.not_found({ id: row.id })
  return post
}

/** Deleted and pending answers are seen by their author and staff. */
export function maySee(person: Person | null, row: { status: number; person_id: number }): boolean {
  return row.status === answerStatus.available || isStaff(person) || person?.id === row.person_id
}
