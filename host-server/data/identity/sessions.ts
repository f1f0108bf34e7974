import { hash, randomBytes } from 'node:crypto'
import { roles } from '@stoa/sdk'
import type { Awaitable, OpenSession, Person, PersonState, RoleId, Session, SessionPlace } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Revisions } from '../db/revisions.ts'
import type { KernelTables } from '../db/tables.ts'
import type { KernelDatabase } from '../db/transactions.ts'

const LIFETIME_SECONDS = 7 * 24 * 3600
/** What somebody changed beside the kernel, by hand in the tables, is seen after this long. */
const TRUST_MS = 300_000
const REMEMBERED = 20_000

/** Sessions that one person may have: a script that signs in for every call has as many. */
const MOST_EACH = 100

/** What is written of the use of a session, at most once in this time. */
const NOTED_SECONDS = 600
const LONGEST_AGENT = 400

/** Whose session a token opens: asked for each person every few seconds, so it is composed once. */
const sessionWith = (column: 'token_hash' | 'visit_hash') =>
  statement((db: Kysely<KernelTables>, { tokenHash }: { tokenHash: string }) =>
    db
      .selectFrom('kernel__session as s')
      .innerJoin('kernel__principal as p', 'p.id', 's.principal_id')
      .select(['p.id', 'p.role', 'p.state', 'p.needs_more', 's.expires_at', 's.used_at'])
      .where(`s.${column}`, '=', tokenHash),
  )
const sessionBy = { token: sessionWith('token_hash'), visit: sessionWith('visit_hash') }

/** Who sent a token. */
export interface SignedIn {
  person: Person
  token: string
  readonly visitToken: string
}

export interface Sessions {
  open(personId: number, from?: SessionPlace): Promise<Session>
  /** Open ones, used last first. */
  list(personId: number, token?: string): Promise<OpenSession[]>
  /** By the id of the list; nothing happens for one that is somebody else's. */
  end(personId: number, id: string): Promise<void>
  /** Somebody has used a session that was authenticated just now. Costs a write every ten minutes. */
  noteUse(token: string, place: SessionPlace): void
  close(token: string): Promise<void>
  /** `exceptToken`: this one stays. */
  closeAll(personId: number, exceptToken?: string): Promise<void>
  /** Who sent it, where the session has been asked for within the last minutes; the database is not asked. */
  known(token: string): SignedIn | null
  /** Without waiting, where that is known. */
  authenticate(token: string): Awaitable<SignedIn | null>
  authenticateVisit(visitToken: string): Promise<Person | null>
  isOfDeleted(token: string): Promise<boolean>
  /** Must be called in the transaction that changes what a session shows. */
  changed(): Promise<void>
  /** Forgets what is kept in memory. */
  forget(): void
  /** And those that somebody has beyond the newest hundred. */
  deleteExpired(): Promise<void>
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url')
/** The visit token follows from the token, one way, so that it need not be stored to be known. */
const visitTokenOf = (token: string): string => sha256(`visit ${token}`)
const looksLikeToken = (text: string): boolean => text.length === 43
/** What `Authorization` holds, with or without the word that browsers put before it. */
export const tokenOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined || looksLikeToken(authorization) ? authorization : authorization.replace(/^Bearer\s+/i, '').trim()

const columnsOf = (place: SessionPlace | undefined) => (place ? { ip: place.ip, user_agent: place.userAgent.slice(0, LONGEST_AGENT) } : {})

class Sender implements SignedIn {
  readonly person: Person
  readonly token: string

  constructor(person: Person, token: string) {
    this.person = person
    this.token = token
  }

  get visitToken(): string {
    return visitTokenOf(this.token)
  }
}

interface Known {
  person: Person
  /** As whom staff count of whom more is demanded; absent where nothing is left to demand. */
  heldBack: Person | undefined
  expiresAt: number
  loadedAt: number
  usedAt: number
}

/**
 * Sessions by the hashes of their tokens.
 * @param isStaffHeldBack a password alone does not make staff at present
 */
export function createSessions(
  database: KernelDatabase,
  revisions: Pick<Revisions, 'raise' | 'on'>,
  now: () => number,
  isStaffHeldBack: () => boolean,
): Sessions {
  /** By what was sent. Who has a page open asks again and again: that must cost one look. */
  const known = { token: new Map<string, Known>(), visit: new Map<string, Known>() }
  const personOf = ({ person, heldBack }: Pick<Known, 'person' | 'heldBack'>) => (heldBack && isStaffHeldBack() ? heldBack : person)
  let generation = 0

  const forget = () => {
    generation++
    known.token.clear()
    known.visit.clear()
  }
  revisions.on('people', forget)
  // Once in a transaction, and last: who holds this row waits for nobody.
  const raise = () => revisions.raise('people')

  /** @returns undefined where the database has to be asked */
  function knownPerson(kind: 'token' | 'visit', sent: string): Person | null | undefined {
    const found = known[kind].get(sent)
    if (!found || performance.now() - found.loadedAt >= TRUST_MS) return undefined
    return found.expiresAt > now() ? personOf(found) : null
  }

  function find(kind: 'token' | 'visit', sent: string): Awaitable<Person | null> {
    const person = knownPerson(kind, sent)
    return person === undefined ? load(kind, sent) : person
  }

  async function load(kind: 'token' | 'visit', sent: string): Promise<Person | null> {
    const startedIn = generation
    const loadedAt = performance.now()
    const [row] = await database.outside(() => sessionBy[kind](database.query, { tokenHash: sha256(sent) }))
    if (!row || row.expires_at <= now() || row.state === 'deleted') return null
    const person: Person = Object.freeze({ id: row.id, role: row.role as RoleId, state: row.state as PersonState })
    const isToProve = person.role !== roles.user && row.needs_more !== 1
    const heldBack = isToProve ? Object.freeze({ ...person, role: roles.user, isHeldBack: true as const }) : undefined
    // A change committed while we were reading has already cleared the memory: what was read may be older.
    if (startedIn === generation) {
      if (known[kind].size >= REMEMBERED) known[kind].clear()
      known[kind].set(sent, { person, heldBack, expiresAt: row.expires_at, loadedAt, usedAt: row.used_at })
    }
    return personOf({ person, heldBack })
  }

  const changed = (): Promise<void> => database.together(raise, undefined)

  return {
    async open(personId, from) {
      const token = randomBytes(32).toString('base64url')
      const visitToken = visitTokenOf(token)
      await database.join(async (tx) => {
        await tx
          .insertInto('kernel__session')
          .values({
            token_hash: sha256(token),
            visit_hash: sha256(visitToken),
            principal_id: personId,
            created_at: now(),
            expires_at: now() + LIFETIME_SECONDS,
            used_at: now(),
            ...columnsOf(from),
          })
          .execute()
      })
      return { token, visitToken }
    },
    async list(personId, token) {
      const rows = await database.query
        .selectFrom('kernel__session')
        .select(['token_hash', 'ip', 'user_agent', 'created_at', 'used_at'])
        .where('principal_id', '=', personId)
        .where('expires_at', '>', now())
        .orderBy('used_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .limit(MOST_EACH)
        .execute()
      const own = token === undefined ? undefined : sha256(token)
      return rows.map((row) => ({
        id: row.token_hash,
        ip: row.ip,
        userAgent: row.user_agent,
        createdAt: row.created_at,
        usedAt: row.used_at || row.created_at,
        isCurrent: row.token_hash === own,
      }))
    },
    async end(personId, id) {
      await database.write(async (tx) => {
        await tx.deleteFrom('kernel__session').where('token_hash', '=', id).where('principal_id', '=', personId).execute()
        await changed()
      })
    },
    noteUse(token, place) {
      const entry = known.token.get(token)
      const before = now() - NOTED_SECONDS
      if (!entry || entry.usedAt > before) return
      entry.usedAt = now()
      const writing = database.outside(() =>
        database.separately((tx) =>
          tx
            .updateTable('kernel__session')
            .set({ used_at: now(), ...columnsOf(place) })
            .where('token_hash', '=', sha256(token))
            .where('used_at', '<=', before)
            .execute(),
        ),
      )
      // What is lost is the time of one use.
      writing.catch(() => {})
    },
    async close(token) {
      await database.write(async (tx) => {
        await tx.deleteFrom('kernel__session').where('token_hash', '=', sha256(token)).execute()
        await changed()
      })
    },
    async closeAll(personId, exceptToken) {
      await database.write(async (tx) => {
        let closing = tx.deleteFrom('kernel__session').where('principal_id', '=', personId)
        if (exceptToken !== undefined) closing = closing.where('token_hash', '!=', sha256(exceptToken))
        await closing.execute()
        await changed()
      })
    },
    known(token) {
      const person = knownPerson('token', token)
      return person ? new Sender(person, token) : null
    },
    authenticate(token) {
      if (!looksLikeToken(token)) return null
      const sender = (person: Person | null) => person && new Sender(person, token)
      const found = find('token', token)
      return found instanceof Promise ? found.then(sender) : sender(found)
    },
    async authenticateVisit(visitToken) {
      return looksLikeToken(visitToken) ? await find('visit', visitToken) : null
    },
    async isOfDeleted(token) {
      if (!looksLikeToken(token)) return false
      const row = await database.query
        .selectFrom('kernel__session as s')
        .innerJoin('kernel__principal as p', 'p.id', 's.principal_id')
        .select('p.state')
        .where('s.token_hash', '=', sha256(token))
        .where('s.expires_at', '>', now())
        .executeTakeFirst()
      return row?.state === 'deleted'
    },
    changed,
    forget,
    async deleteExpired() {
      await database.write(async (tx) => {
        await tx.deleteFrom('kernel__session').where('expires_at', '<=', now()).execute()
        const byAge = sql<number>`row_number() over (partition by principal_id order by created_at desc, token_hash)`.as('place')
        const ranked = tx.selectFrom('kernel__session').select(['token_hash', byAge]).as('ranked')
        const { numDeletedRows } = await tx
          .deleteFrom('kernel__session')
          .where('token_hash', 'in', tx.selectFrom(ranked).select('token_hash').where('place', '>', MOST_EACH))
          .executeTakeFirst()
        if (numDeletedRows > 0) await changed()
      })
    },
  }
}
