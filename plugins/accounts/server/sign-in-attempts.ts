import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { Identity, SignInReply } from '../shared/api.ts'
import { outsideErrors } from '../shared/api.ts'
import { sha256 } from './attempts.ts'
import type { AccountTables } from './tables.ts'

const HOUR = 3600
/** Of one stage, of all browsers: the oldest give way, never the one that was just added. */
const MOST = 20_000
/** Of one stage and browser. */
const MOST_OF_BROWSER = 10
const cookie = { name: 'stoa_sign_in', maxAge: HOUR } as const

/** What is kept between the steps. `begun`: sent away; `address`: an address is asked for; `mailed`: a link is on its way; `done`: the session waits. */
export interface Kept {
  begun: {
    intent: 'login' | 'bind'
    returnTo: string
    nonce: string
    codeVerifier: string
    /** What the other site has sent by a form, until the browser comes with its cookie. */
    posted?: Record<string, string>
    /** The code that is shown now. */
    qr?: { kept: string; until: number }
  }
  address: { identity: Identity; returnTo: string }
  mailed: { identity: Identity; returnTo: string; address: string }
  done: { revision: number }
}
type Stage = AccountTables['accounts__sign_in']['stage']

const SECONDS: Record<Stage, number> = { begun: 600, address: 600, mailed: 1800, done: 60 }

export interface Step<S extends Stage> {
  id: string
  method: string
  personId: number
  kept: Kept[S]
}

const columns = ['id', 'method', 'person_id', 'kept'] as const
const stepOf = <S extends Stage>(row: { id: string; method: string; person_id: number; kept: string }): Step<S> => ({
  id: row.id,
  method: row.method,
  personId: row.person_id,
  kept: JSON.parse(row.kept) as Kept[S],
})

/** @returns undefined where the browser has begun nothing */
const markIn = (cookies = ''): string | undefined => new RegExp(`(?:^|;\\s*)${cookie.name}=([\\w-]{43})(?:;|$)`).exec(cookies)?.[1]

/** What a login keeps while somebody is away: each step has a key that works once, and in the browser that began. */
export function createSignInAttempts(ctx: ServerContext<AccountTables>) {
  // Also where nobody begins another: what is kept names whom the other site proved.
  ctx.jobs.every('accounts.sign_ins', 3600, async () => void (await ctx.db.write(dropOld)))
  const dropOld = (tx: Kysely<AccountTables>) => tx.deleteFrom('accounts__sign_in').where('expires_at', '<=', ctx.now()).execute()

  async function add<S extends Stage>(stage: S, browserHash: string, { method, personId, kept }: Omit<Step<S>, 'id'>): Promise<string> {
    const key = Buffer.from(ctx.host.random(32), 'base64url').toString('hex')
    const row = { id: ctx.host.random(16), stage, key_hash: sha256(key), browser_hash: browserHash, person_id: personId, method }
    await ctx.db.write(async (tx) => {
      await dropOld(tx)
      await tx
        .insertInto('accounts__sign_in')
        .values({ ...row, kept: JSON.stringify(kept), expires_at: ctx.now() + SECONDS[stage] })
        .execute()
      // Times are whole seconds: without its exception a new one could be the one that goes.
      const newest = tx
        .selectFrom('accounts__sign_in')
        .select('id')
        .where('stage', '=', stage)
        .where('id', '!=', row.id)
        .orderBy('expires_at', 'desc')
        .orderBy('id')
        .limit(1000)
      await tx
        .deleteFrom('accounts__sign_in')
        .where('id', 'in', newest.offset(MOST - 1))
        .execute()
      await tx
        .deleteFrom('accounts__sign_in')
        .where('id', 'in', newest.where('browser_hash', '=', browserHash).offset(MOST_OF_BROWSER - 1))
        .execute()
    })
    return key
  }

  /** Takes it out: of two at once one gets it. @throws `error.accounts.sign_in_over` */
  async function take<S extends Stage>(stage: S, key: string, cookies: string | undefined): Promise<Step<S> & { browserHash: string }> {
    const mark = markIn(cookies)
    const browserHash = mark === undefined ? '' : sha256(mark)
    const row =
      mark !== undefined &&
      (await ctx.db.write((tx) =>
        tx
          .deleteFrom('accounts__sign_in')
          .where('key_hash', '=', sha256(key))
          .where('stage', '=', stage)
          .where('browser_hash', '=', browserHash)
          .where('expires_at', '>', ctx.now())
          .returning(columns)
          .executeTakeFirst(),
      ))
    if (!row) throw outsideErrors.sign_in_over()
    return { ...stepOf<S>(row), browserHash }
  }

  /** Leaves it where it is, for those who try more than once. @throws `error.accounts.sign_in_over` */
  async function look<S extends Stage>(stage: S, key: string, cookies: string | undefined): Promise<Step<S>> {
    const mark = markIn(cookies)
    const row =
      mark !== undefined &&
      (await ctx.db.query
        .selectFrom('accounts__sign_in')
        .select(columns)
        .where('key_hash', '=', sha256(key))
        .where('stage', '=', stage)
        .where('browser_hash', '=', sha256(mark))
        .where('expires_at', '>', ctx.now())
        .executeTakeFirst())
    if (!row) throw outsideErrors.sign_in_over()
    return stepOf<S>(row)
  }

  return {
    add,
    take,
    look,

    /** For a form that a page of the other site has sent, without the cookie of the browser. @returns false where no such login is under way */
    async keepPosted(method: string, key: string, posted: Record<string, string>): Promise<boolean> {
      return ctx.db.write(async (tx) => {
        const row = await tx
          .selectFrom('accounts__sign_in')
          .select(columns)
          .where('key_hash', '=', sha256(key))
          .where('stage', '=', 'begun')
          .where('method', '=', method)
          .where('expires_at', '>', ctx.now())
          .executeTakeFirst()
        if (!row) return false
        const kept = JSON.stringify({ ...stepOf<'begun'>(row).kept, posted })
        await tx.updateTable('accounts__sign_in').set({ kept }).where('id', '=', row.id).execute()
        return true
      })
    },

    /** In place of what was kept. One that was taken out meanwhile stays out. */
    async keep({ id }: Step<'begun'>, kept: Kept['begun']): Promise<void> {
      await ctx.db.write((tx) =>
        tx
          .updateTable('accounts__sign_in')
          .set({ kept: JSON.stringify(kept) })
          .where('id', '=', id)
          .execute(),
      )
    },

    /** The browser's mark; a new one is put into its cookie. @returns the hash of it */
    browser(cookies: string | undefined, reply: SignInReply): string {
      const mark = markIn(cookies) ?? ctx.host.random(32)
      reply.cookie(cookie.name, mark, { maxAge: cookie.maxAge })
      return sha256(mark)
    },

    /** The step goes on as one whose key will be in a mail; until that is made, nobody has it. @returns undefined where there is none */
    async toMailed(key: string, cookies: string | undefined, address: string): Promise<string | undefined> {
      const { kept, method, browserHash } = await take('address', key, cookies)
      const hidden = await add('mailed', browserHash, { method, personId: 0, kept: { ...kept, address } })
      const row = await ctx.db.query.selectFrom('accounts__sign_in').select('id').where('key_hash', '=', sha256(hidden)).executeTakeFirst()
      return row?.id
    },

    /** A new key for the mail; one that was made before works no more. */
    async keyFor(id: string): Promise<(Step<'mailed'> & { key: string }) | undefined> {
      const key = ctx.host.random(32)
      const row = await ctx.db.write((tx) =>
        tx
          .updateTable('accounts__sign_in')
          .set({ key_hash: sha256(key) })
          .where('id', '=', id)
          .where('stage', '=', 'mailed')
          .where('expires_at', '>', ctx.now())
          .returning(columns)
          .executeTakeFirst(),
      )
      return row && { ...stepOf<'mailed'>(row), key }
    },

    /** Somebody has an account already: what was begun ends. */
    async drop(id: string): Promise<void> {
      await ctx.db.write((tx) => tx.deleteFrom('accounts__sign_in').where('id', '=', id).execute())
    },
  }
}
