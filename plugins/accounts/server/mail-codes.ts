import { createHash } from 'node:crypto'
import type { Principal, ServerContext } from '@stoa/sdk/server'
import { job } from '@stoa/sdk/server'
import { accountErrors } from '../shared/api.ts'
import { held } from './held.ts'
import type { Mails } from './mails.ts'
import { mailLanguage } from './mails.ts'
import type { Profiles } from './profiles.ts'
import type { AccountTables } from './tables.ts'

/** What a mailed code is good for; it is good for nothing else. */
export type Purpose = 'activate' | 'reset' | 'change_email'

const LIFETIME_SECONDS: Record<Purpose, number> = { activate: 24 * 3600, reset: 3600, change_email: 3600 }
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Person and purpose; the code itself is made when the mail is sent, and stands in no queue. */
const codeMail = job<{ personId: number; purpose: Purpose; language: string }>('accounts.code_mail')
/** The same once more, asked for by an admin after the mail server had refused it; `revision` as when the first was asked for. */
const codeMailAgain = job<{ personId: number; purpose: Purpose; email: string; language: string; revision: number }>(
  'accounts.code_mail_again',
)
const recovery = job<{ email: string }>('accounts.recovery')

export interface MailCodes {
  /**
   * Mails a link with a new code, queued in the current transaction; an older one for the same purpose stops counting.
   * @param email the address it is sent to; `language`: where they have chosen none
   */
  send(principal: Principal, purpose: Purpose, email: string, language: string): Promise<void>
  /** Mails a link to set a new password, if there is somebody with this address. Looking for them is left to a job: the caller's time tells nothing. */
  recover(email: string): Promise<void>
  /** A new code, for somebody else to hand over. */
  issue(principal: Principal, purpose: Purpose, email: string): Promise<string>
  /** Uses a code up, in the current transaction. @throws `error.email.verify_url_expired` (403 `url_expired`) */
  redeem(code: string, purpose: Purpose): Promise<{ principal: Principal; email: string }>
}

const mayUse = ({ state }: Principal): boolean => state !== 'deleted' && state !== 'suspended'

/**
 * Codes work once, and only as long as their person has the same password, address, role and state as when they were asked for; only their hash
 * is stored.
 */
export function createMailCodes(ctx: ServerContext<AccountTables>, profiles: Profiles, mails: Mails): MailCodes {
  /** The row of a code that is to be: its hash is nobody's. */
  async function ask({ id, revision }: Principal, purpose: Purpose, email: string): Promise<void> {
    const row = {
      code_hash: sha256(ctx.host.random(32)),
      email,
      expires_at: ctx.now() + LIFETIME_SECONDS[purpose],
      revision,
      used_at: 0,
    }
    await ctx.db.write((tx) =>
      tx
        .insertInto('accounts__mail_code')
        .values({ person_id: id, purpose, ...row })
        .onConflict((conflict) => conflict.columns(['person_id', 'purpose']).doUpdateSet(row))
        .execute(),
    )
  }

  /** @returns undefined when it was revoked, used or has expired meanwhile */
  async function make({ id, revision }: Principal, purpose: Purpose): Promise<{ code: string; email: string } | undefined> {
    const code = ctx.host.random(32)
    const row = await ctx.db.write((tx) =>
      tx
        .updateTable('accounts__mail_code')
        .set({ code_hash: sha256(code), expires_at: ctx.now() + LIFETIME_SECONDS[purpose] })
        .where('person_id', '=', id)
        .where('purpose', '=', purpose)
        .where('revision', '=', revision)
        .where('used_at', '=', 0)
        .where('expires_at', '>', ctx.now())
        .returning('email')
        .executeTakeFirst(),
    )
    return row && { code, email: row.email }
  }

  const codes: MailCodes = {
    async send(principal, purpose, email, language) {
      await ask(principal, purpose, email)
      await ctx.jobs.enqueue(codeMail, { personId: principal.id, purpose, language }, { key: `${principal.id} ${purpose}` })
    },
    recover: (email) => ctx.jobs.enqueue(recovery, { email }),
    async issue(principal, purpose, email) {
      await ask(principal, purpose, email)
      return (await make(principal, purpose))?.code ?? ''
    },
    redeem: (code, purpose) =>
      ctx.db.write(async (tx) => {
        const code_hash = sha256(code)
        const row = await tx
          .selectFrom('accounts__mail_code')
          .select(['person_id', 'email', 'expires_at', 'revision', 'used_at'])
          .where('code_hash', '=', code_hash)
          .where('purpose', '=', purpose)
          .executeTakeFirst()
        if (row && row.used_at > 0) throw used(purpose)
        const principal = row && (await held(ctx, row.person_id))
        if (!principal || !mayUse(principal) || row.revision !== principal.revision || row.expires_at <= ctx.now()) throw expired()
        const { numUpdatedRows } = await tx
          .updateTable('accounts__mail_code')
          .set({ used_at: ctx.now() })
          .where('code_hash', '=', code_hash)
          .where('used_at', '=', 0)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw used(purpose)
        return { principal, email: row.email }
      }),
  }

  ctx.jobs.handle(codeMail, async ({ personId, purpose, language }) => {
    const principal = await ctx.host.credentials.find(personId)
    const made = principal && mayUse(principal) ? await make(principal, purpose) : undefined
    if (!principal || !made) return
    const { display_name: name, language: chosen } = await profiles.ensure(principal)
    const to = { email: made.email, name, language: mailLanguage(chosen, language) }
    const payload = { personId, purpose, email: made.email, language, revision: principal.revision }
    await mails.sendLink(purpose, to, made.code, { job: codeMailAgain.id, payload })
  })
  ctx.jobs.handle(codeMailAgain, async ({ personId, purpose, email, language, revision }) => {
    const principal = await ctx.host.credentials.find(personId)
    if (principal?.revision === revision && mayUse(principal)) await ctx.db.write(() => codes.send(principal, purpose, email, language))
  })
  ctx.jobs.handle(recovery, async ({ email }) => {
    const principal = await ctx.host.credentials.findByLogin(email)
    if (principal && mayUse(principal)) await ctx.db.write(() => codes.send(principal, 'reset', email, ctx.site.language))
  })
  return codes
}

/** The refusal on which clients show the page for links that no longer work. */
const expired = () => accountErrors.verify_url_expired({}, { type: 'url_expired' })
/** The same, with what the code has done. */
const used = (purpose: Purpose) => accountErrors.verify_url_expired({}, { type: 'url_expired', used: purpose })
