import { createHash, randomBytes } from 'node:crypto'
import type { Principal } from '@stoa/sdk/server'
import type { KernelDatabase } from '../db/transactions.ts'

const LINK_SECONDS = 15 * 60
const SESSION_SECONDS = 3600

/** Who may use the rescue page without any plugin: links for one use, and sessions of its own. */
export interface RescueAccess {
  /** @returns the token of a link that works once, for a quarter of an hour */
  makeLink(): Promise<string>
  /** @returns the token of a session when the link was good; it is used up then */
  redeem(link: string): Promise<string | null>
  /** Ends with any change of the person's password, address, role or state. */
  openSession(person: Pick<Principal, 'id' | 'revision'>): Promise<string>
  /** @returns number of the person whose session it is, 0 for one by a link; undefined when it is not open */
  holderOf(session: string): Promise<number | undefined>
  closeSession(session: string): Promise<void>
}

/** Whom a link of the command line belongs to. */
const nobody = { id: 0, revision: 0 }

const hashOf = (token: string): string => createHash('sha256').update(`rescue ${token}`).digest('base64url')

export function createRescueAccess(database: KernelDatabase, now: () => number): RescueAccess {
  async function issue(kind: 'link' | 'session', seconds: number, { id, revision } = nobody): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await database.write(async (tx) => {
      await tx.deleteFrom('kernel__rescue').where('expires_at', '<=', now()).execute()
      await tx
        .insertInto('kernel__rescue')
        .values({ token_hash: hashOf(token), kind, expires_at: now() + seconds, principal_id: id, revision })
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
    openSession: (person) => issue('session', SESSION_SECONDS, person),
    async holderOf(session) {
      const row = await database.query
        .selectFrom('kernel__rescue as r')
        .leftJoin('kernel__principal as p', 'p.id', 'r.principal_id')
        .select(['r.principal_id', 'r.revision', 'p.revision as now'])
        .where('r.token_hash', '=', hashOf(session))
        .where('r.kind', '=', 'session')
        .where('r.expires_at', '>', now())
        .executeTakeFirst()
      const isOpen = row !== undefined && (row.principal_id === nobody.id || row.revision === row.now)
      return isOpen ? row.principal_id : undefined
    },
    async closeSession(session) {
      await database.write((tx) => tx.deleteFrom('kernel__rescue').where('token_hash', '=', hashOf(session)).execute())
    },
  }
}
