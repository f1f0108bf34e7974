import { createHash } from 'node:crypto'
import type { Principal, RouteReply, ServerContext } from '@stoa/sdk/server'
import { baseErrors } from '@stoa/sdk/server'
import { confirmingErrors } from '../shared/api.ts'
import type { AccountTables } from './tables.ts'

/** What has begun: `personId` 0 while nobody knows who it is. */
export interface Attempt {
  hash: string
  personId: number
  revision: number
  method: string
  kept: string
}
type Intent = AccountTables['accounts__attempt']['intent']

export const attemptCookie = { name: 'stoa_attempt', maxAge: 600 } as const
/** Wrong proofs after which an attempt is over. */
const MOST_TRIES = 5
/** Guesses at the codes of one person within the hour, whoever makes them and in however many attempts. */
const MOST_GUESSES = 10
const GUESS_SECONDS = 3600

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** @returns undefined for what is no cookie of ours */
function hashIn(cookies = ''): string | undefined {
  const found = new RegExp(`(?:^|;\\s*)${attemptCookie.name}=([\\w-]{43})(?:;|$)`).exec(cookies)?.[1]
  return found && sha256(found)
}

const columns = ['token_hash', 'person_id', 'revision', 'method', 'kept'] as const
const attemptOf = (
  row: Pick<AccountTables['accounts__attempt'], 'token_hash' | 'person_id' | 'revision'> & { method: string; kept: string },
) => ({
  hash: row.token_hash,
  personId: row.person_id,
  revision: row.revision,
  method: row.method,
  kept: row.kept,
})

/** Logins and confirmations between their beginning and their end: ten minutes, one browser, five wrong proofs, one right one. */
export function createAttempts(ctx: ServerContext<AccountTables>) {
  /** @param principal null: whose it is will be told by the proof */
  async function open(intent: Intent, principal: Pick<Principal, 'id' | 'revision'> | null, reply: RouteReply): Promise<Attempt> {
    const token = ctx.host.random(32)
    const row = { token_hash: sha256(token), intent, person_id: principal?.id ?? 0, revision: principal?.revision ?? 0 }
    await ctx.db.write(async (tx) => {
      await tx.deleteFrom('accounts__attempt').where('expires_at', '<=', ctx.now()).execute()
      await tx
        .insertInto('accounts__attempt')
        .values({ ...row, expires_at: ctx.now() + attemptCookie.maxAge })
        .execute()
    })
    reply.cookie(attemptCookie.name, token, { maxAge: attemptCookie.maxAge })
    return attemptOf({ ...row, method: '', kept: '' })
  }

  /** What this browser has begun; undefined when that is nothing, used up or too old. */
  async function find(intent: Intent, cookies: string | undefined): Promise<Attempt | undefined> {
    const hash = hashIn(cookies)
    if (hash === undefined) return undefined
    const row = await ctx.db.query
      .selectFrom('accounts__attempt')
      .select(columns)
      .where('token_hash', '=', hash)
      .where('intent', '=', intent)
      .where('expires_at', '>', ctx.now())
      .where('tries', '<', MOST_TRIES)
      .executeTakeFirst()
    return row && attemptOf(row)
  }

  /** Counts a proof. @throws `error.accounts.attempt_over` */
  async function count(intent: Intent, cookies: string | undefined): Promise<Attempt> {
    const hash = hashIn(cookies)
    const row =
      hash &&
      (await ctx.db.write((tx) =>
        tx
          .updateTable('accounts__attempt')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('token_hash', '=', hash)
          .where('intent', '=', intent)
          .where('expires_at', '>', ctx.now())
          .where('tries', '<', MOST_TRIES)
          .returning(columns)
          .executeTakeFirst(),
      ))
    if (!row) throw confirmingErrors.attempt_over()
    return attemptOf(row)
  }

  /** What a confirmer keeps. With `kept` given as it stood, it is taken once: of two at once one gets false. */
  async function keep(hash: string, method: string, kept: string, before?: string): Promise<boolean> {
    const { numUpdatedRows } = await ctx.db.write((tx) => {
      const update = tx
        .updateTable('accounts__attempt')
        .set({ method, kept })
        .where('token_hash', '=', hash)
        .where('expires_at', '>', ctx.now())
      return (before === undefined ? update : update.where('kept', '=', before)).executeTakeFirst()
    })
    return numUpdatedRows > 0n
  }

  /** Ends it, in the current transaction. @throws `error.accounts.attempt_over` where another one was quicker */
  async function use(hash: string): Promise<void> {
    const { numDeletedRows } = await ctx.db.write((tx) =>
      tx.deleteFrom('accounts__attempt').where('token_hash', '=', hash).executeTakeFirst(),
    )
    if (numDeletedRows === 0n) throw confirmingErrors.attempt_over()
  }

  /** Counts a guess at a code of this person. It stays counted, whatever becomes of the caller. @throws `base.too_many_requests` */
  async function guess(personId: number): Promise<void> {
    const now = ctx.now()
    const row = await ctx.db.write((tx) =>
      tx
        .insertInto('accounts__guess')
        .values({ person_id: personId, count: 1, since: now })
        .onConflict((conflict) =>
          conflict.column('person_id').doUpdateSet((eb) => ({
            count: eb
              .case()
              .when('accounts__guess.since', '<=', now - GUESS_SECONDS)
              .then(1)
              .else(eb('accounts__guess.count', '+', 1))
              .end(),
            since: eb
              .case()
              .when('accounts__guess.since', '<=', now - GUESS_SECONDS)
              .then(now)
              .else(eb.ref('accounts__guess.since'))
              .end(),
          })),
        )
        .returning('count')
        .executeTakeFirstOrThrow(),
    )
    if (row.count > MOST_GUESSES) throw baseErrors.too_many_requests({ action: 'second step', seconds: GUESS_SECONDS })
  }

  const forgetGuesses = (personId: number) =>
    ctx.db.write((tx) => tx.deleteFrom('accounts__guess').where('person_id', '=', personId).execute())

  return { open, find, count, keep, use, guess, forgetGuesses }
}
