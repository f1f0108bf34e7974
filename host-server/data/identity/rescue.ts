import { createHash, randomBytes } from 'node:crypto'
import type { KernelDatabase } from '../db/transactions.ts'

const LINK_SECONDS = 15 * 60
const SESSION_SECONDS = 3600

/** Who may use the rescue page without any plugin: links for one use, and sessions of its own. */
export interface RescueAccess {
  /** @returns the token of a link that works once, for a quarter of an hour */
  makeLink(): Promise<string>
  /** @returns the token of a session when the link was good; it is used up then */
  redeem(link: string): Promise<string | null>
  openSession(): Promise<string>
  isOpen(session: string): Promise<boolean>
  closeSession(session: string): Promise<void>
}

const hashOf = (token: string): string => createHash('sha256').update(`rescue ${token}`).digest('base64url')

export function createRescueAccess(database: KernelDatabase, now: () => number): RescueAccess {
  async function issue(kind: 'link' | 'session', seconds: number): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await database.write(async (tx) => {
      await tx.deleteFrom('kernel__rescue').where('expires_at', '<=', now()).execute()
      await tx
        .insertInto('kernel__rescue')
        .values({ token_hash: hashOf(token), kind, expires_at: now() + seconds })
        .execute()
    })
    return token
  }
  return {
    makeLink: () => issue('link', LINK_SECONDS),
    async redeem(link) {
      const { numDeletedRows } = await database.write((tx) =>
        tx
          .deleteFrom('kernel__rescue')
          .where('token_hash', '=', hashOf(link))
          .where('kind', '=', 'link')
          .where('expires_at', '>', now())
          .executeTakeFirst(),
      )
      return numDeletedRows > 0n ? await issue('session', SESSION_SECONDS) : null
    },
    openSession: () => issue('session', SESSION_SECONDS),
    async isOpen(session) {
      const row = await database.query
        .selectFrom('kernel__rescue')
        .select('kind')
        .where('token_hash', '=', hashOf(session))
        .where('kind', '=', 'session')
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row !== undefined
    },
    async closeSession(session) {
      await database.write((tx) => tx.deleteFrom('kernel__rescue').where('token_hash', '=', hashOf(session)).execute())
    },
  }
}
