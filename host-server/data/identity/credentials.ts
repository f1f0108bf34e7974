import type { Credentials, PasswordHash, PersonState, Principal, RoleId } from '@stoa/sdk/server'
import { kernelEvents } from '@stoa/sdk/server'
import type { Revisions } from '../db/revisions.ts'
import type { KernelDatabase } from '../db/transactions.ts'
import type { Outbox } from '../events/outbox.ts'
import type { Limits } from '../services/limits.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { createSessions } from './sessions.ts'
import { createSignIn, knownFor, markOf, normalLogin } from './sign-in.ts'

export interface KernelCredentials extends Credentials {
  /** Who carries this token; null when it is unknown, expired, or of somebody deleted. Changes of this process count from their commit on. */
  authenticate: Sessions['authenticate']
  authenticateVisit: Sessions['authenticateVisit']
  readonly sessions: Sessions
  /** Staff whom a password alone lets in count as users while any of these says so. @returns what takes it back */
  holdBackStaff(isDemanded: () => boolean): () => Promise<void>
  /** A password alone makes nobody staff at present. */
  isStaffHeldBack(): boolean
}

const columns = ['id', 'login', 'role', 'state', 'created_at', 'password_hash', 'revision', 'needs_more'] as const
interface Row {
  id: number
  login: string
  role: number
  state: string
  created_at: number
  password_hash: string | null
  revision: number
  needs_more: number
}

function principal(row: Row): Principal {
  return {
    id: row.id,
    role: row.role as RoleId,
    state: row.state as PersonState,
    login: row.login,
    hasPassword: row.password_hash !== null,
    createdAt: row.created_at,
    revision: row.revision,
    needsMore: row.needs_more === 1,
  }
}

const hashed = async (password: string | PasswordHash): Promise<string> =>
  typeof password === 'string' ? await hashPassword(password) : password.hash

/** @throws for what nobody could log in with */
function checkedLogin(login: string): string {
  const name = normalLogin(login)
  if (name === undefined) throw new Error('This is no address to log in with: it is empty, too long or holds control characters')
  return name
}

/** A mark as young as this may be of the very sign-in that is still going on: whoever has the password has one. */
const SECOND_STEP_MS = 5 * 60_000

interface CredentialOptions {
  database: KernelDatabase
  revisions: Pick<Revisions, 'raise' | 'on'>
  outbox: Pick<Outbox, 'emit'>
  limits: Limits
  /** False: passwords may be tried without end. */
  isLimited: boolean
  now: () => number
}

/** Principals with their passwords and sessions. */
export function createCredentials({ database, revisions, outbox, limits, isLimited, now }: CredentialOptions): KernelCredentials {
  const demands = new Set<() => boolean>()
  const isStaffHeldBack = () => [...demands].some((isDemanded) => isDemanded())
  const sessions = createSessions(database, revisions, now, isStaffHeldBack)

  const byId = (id: number) => database.query.selectFrom('kernel__principal').select(columns).where('id', '=', id).executeTakeFirst()
  const byName = (name: string) =>
    database.query.selectFrom('kernel__principal').select(columns).where('login', '=', name).executeTakeFirst()
  const byLogin = async (login: string) => {
    const name = normalLogin(login)
    return name === undefined ? undefined : await byName(name)
  }
  const signIn = createSignIn(
    async (name) => {
      const row = await byName(name)
      return row?.state === 'deleted' ? undefined : row
    },
    limits,
    isLimited,
  )

  /** Changes a principal so that open sessions follow at commit. */
  async function change(
    id: number,
    values: { role?: number; state?: string; login?: string; password_hash?: string | null; needs_more?: number },
  ): Promise<void> {
    await database.write(async (tx) => {
      await tx
        .updateTable('kernel__principal')
        .set((eb) => ({ ...values, revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .execute()
      if (values.state === 'deleted') await tx.deleteFrom('kernel__member_setting').where('person_id', '=', id).execute()
      await sessions.changed()
      if (typeof values.password_hash !== 'string' && values.needs_more === undefined)
        await outbox.emit('kernel', kernelEvents.principalChanged, { id })
    })
  }

  return {
    sessions,
    authenticate: sessions.authenticate,
    authenticateVisit: sessions.authenticateVisit,
    isStaffHeldBack,
    holdBackStaff(isDemanded) {
      demands.add(isDemanded)
      return async () => void demands.delete(isDemanded)
    },
    async create({ login, password, role = 1, state = 'normal' }) {
      const passwordHash = password === undefined ? null : await hashed(password)
      const row = await database.join((tx) =>
        tx
          .insertInto('kernel__principal')
          .values({ login: checkedLogin(login), password_hash: passwordHash, role, state, created_at: now() })
          .returning(columns)
          .executeTakeFirstOrThrow(),
      )
      return principal(row)
    },
    hash: async (password) => ({ hash: await hashPassword(password) }),
    async find(id) {
      const row = await byId(id)
      return row && principal(row)
    },
    async hold(ids) {
      const found = database.query.selectFrom('kernel__principal').select(columns).where('id', 'in', ids).orderBy('id')
      const rows = await (database.dialect === 'postgres' ? found.forNoKeyUpdate() : found).execute()
      return new Map(rows.map((row) => [row.id, principal(row)]))
    },
    async findByLogin(login) {
      const row = await byLogin(login)
      return row && principal(row)
    },
    async verify(login, password) {
      const row = await byLogin(login)
      const usable = row && row.state !== 'deleted' ? row : undefined
      return (await passwordMatches(usable?.password_hash ?? null, password)) && usable ? principal(usable) : undefined
    },
    async signIn(attempt) {
      const found = await signIn(attempt)
      return found && { principal: principal(found.holder), browser: found.browser }
    },
    async recogniseBrowser(id, mark) {
      const row = await byId(id)
      if (!row?.password_hash) return { isKnown: false, mark: '' }
      return { isKnown: knownFor(mark, row) > SECOND_STEP_MS, mark: markOf(row) }
    },
    async checkPassword(id, password) {
      const row = await byId(id)
      return await passwordMatches(row?.password_hash ?? null, password)
    },
    async setPassword(id, password) {
      await change(id, { password_hash: await hashed(password) })
    },
    setLogin: (id, login) => change(id, { login: checkedLogin(login) }),
    async setState(id, state) {
      await database.write(async (tx) => {
        const before = await tx.selectFrom('kernel__principal').select('state').where('id', '=', id).executeTakeFirst()
        await change(id, { state })
        // Sessions of somebody deleted let nobody in, and should that be undone, they do not come back to life.
        if (before?.state === 'deleted') await sessions.closeAll(id)
      })
    },
    setRole: (id, role) => change(id, { role }),
    setNeedsMore: (id, needsMore) => change(id, { needs_more: needsMore ? 1 : 0 }),
    async erase(id) {
      await database.write(async (tx) => {
        await change(id, { state: 'deleted', login: `deleted-${id}`, password_hash: null })
        // The tokens stay while they last, so that open tabs are told that it is over.
        await tx.updateTable('kernel__session').set({ ip: '', user_agent: '' }).where('principal_id', '=', id).execute()
      })
    },
    openSession: sessions.open,
    sessionsOf: sessions.list,
    endSession: sessions.end,
    closeSession: sessions.close,
    closeSessions: sessions.closeAll,
    isOfDeleted: sessions.isOfDeleted,
    async withoutPassword(limit) {
      const rows = await database.query
        .selectFrom('kernel__principal')
        .select('id')
        .where('password_hash', 'is', null)
        .where('state', '=', 'normal')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async withRole(role) {
      const rows = await database.query.selectFrom('kernel__principal').select(columns).where('role', '=', role).orderBy('id').execute()
      return rows.map(principal)
    },
  }
}
