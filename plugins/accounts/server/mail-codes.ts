import { createHash } from 'node:crypto'
import type { ServerContext } from '@stoa/sdk/server'
import { accountErrors } from '../shared/api.ts'
import type { AccountTables } from './tables.ts'

/** What a mailed code is good for; it is good for nothing else. */
export type Purpose = 'activate' | 'reset' | 'change_email'

const LIFETIME_SECONDS = 600
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface MailCodes {
  /** A new code; an older one for the same purpose stops counting. `email`: the address it is sent to. */
  issue(personId: number, purpose: Purpose, email: string): Promise<string>
  /** Uses a code up, in the current transaction. @throws `error.email.verify_url_expired` (403 `url_expired`) */
  redeem(code: string, purpose: Purpose): Promise<{ personId: number; email: string }>
}

/** Codes live ten minutes and work once; only their hash is stored. */
export function createMailCodes(ctx: ServerContext<AccountTables>): MailCodes {
  return {
    issue: (personId, purpose, email) =>
      ctx.db.write(async (tx) => {
        const code = ctx.random(32)
        const row = { code_hash: sha256(code), email, expires_at: ctx.now() + LIFETIME_SECONDS }
        await tx
          .insertInto('accounts__mail_code')
          .values({ person_id: personId, purpose, ...row })
          .onConflict((conflict) => conflict.columns(['person_id', 'purpose']).doUpdateSet(row))
          .execute()
        return code
      }),
    redeem: (code, purpose) =>
      ctx.db.write(async (tx) => {
        const row = await tx
          .deleteFrom('accounts__mail_code')
          .where('code_hash', '=', sha256(code))
          .where('purpose', '=', purpose)
          .returning(['person_id', 'email', 'expires_at'])
          .executeTakeFirst()
        if (!row || row.expires_at <= ctx.now()) throw expired()
        return { personId: row.person_id, email: row.email }
      }),
  }
}

/** The refusal on which clients show the page for links that no longer work. */
export const expired = () => accountErrors.verify_url_expired({}, { type: 'url_expired' })
