import type { ServerContext } from '@stoa/sdk/server'
import type { CentreLink, CentrePeople } from '../../accounts/shared/api.ts'
import type { WeCom } from '../../connector-wecom/shared/api.ts'
import { errcodeOf, memberOf, weComMethod } from '../../connector-wecom/shared/api.ts'
import type { Brake } from './brake.ts'
import type { Tables } from './tables.ts'

/** Members asked about in one run: far below the 10,000 calls a minute that a company has. */
const MOST = 500
const BATCH = 100
/** Departments of one company that are kept. */
const MOST_DEPARTMENTS = 5000
const NO_SUCH_MEMBER = 60_111
/** Of a member outside of what the app may see. */
const NOT_TOLD = 60_011
/** Disabled, and left. 4 is somebody who has never opened WeCom. */
const GONE = [2, 5]

interface Asked {
  personId: number
  /** In the company. */
  userid: string
  wasGone: boolean
  departments: number[]
}
interface Fact extends Asked {
  isGone: boolean
}

interface Settings {
  /** So old a fact may be before it is asked for anew. */
  seconds: number
  ownsStatus: boolean
  showsDepartments: boolean
  /** Also that most of the members are gone. */
  believesAll: boolean
}

interface Partners {
  weCom: WeCom
  people: CentrePeople
  brake: Brake
}

const whole = (value: unknown): value is number => Number.isSafeInteger(value)

/** What WeCom says of the people who log in by it: copied into tables of this plugin, so that nobody waits for WeCom, or is refused because it is down. */
export function createFacts(ctx: ServerContext<Tables>, { weCom, people, brake }: Partners, settings: () => Settings) {
  /** @throws where WeCom says neither that somebody is there nor that they are not */
  async function ask(asked: Asked): Promise<Fact> {
    try {
      const { status, department } = await weCom.ask('/cgi-bin/user/get', { query: { userid: asked.userid } })
      const departments = Array.isArray(department) ? department.filter(whole).slice(0, 100) : []
      return { ...asked, isGone: GONE.includes(status as number), departments }
    } catch (error) {
      const errcode = errcodeOf(error)
      if (errcode === NO_SUCH_MEMBER) return { ...asked, isGone: true, departments: [] }
      // What is known of them stays, and nobody else waits for it.
      if (errcode === NOT_TOLD) return { ...asked, isGone: asked.wasGone }
      throw error
    }
  }

  async function known(ids: number[]) {
    const rows = await ctx.db.query.selectFrom('user_center_wecom__member').selectAll().where('person_id', 'in', ids).execute()
    return new Map(rows.map((row) => [row.person_id, row]))
  }

  /** Members whose facts are too old, and no more than {@link MOST}. @returns also whether that is all */
  async function stale() {
    const company = weCom.companyId()
    const found: Asked[] = []
    for (let after = 0; ; ) {
      const bound = await people.boundTo(weComMethod, after, BATCH)
      const last = bound.at(-1)
      if (!last) return { found, isAll: true }
      const rows = await known(bound.map(({ personId }) => personId))
      for (const { personId, externalId } of bound) {
        const userid = memberOf(company, externalId)
        const { read_at, is_gone, departments } = rows.get(personId) ?? { read_at: 0, is_gone: 0, departments: '[]' }
        if (userid !== undefined && read_at <= ctx.now() - settings().seconds)
          found.push({ personId, userid, wasGone: is_gone === 1, departments: JSON.parse(departments) })
      }
      if (found.length >= MOST) return { found: found.slice(0, MOST), isAll: false }
      after = last.personId
    }
  }

  /** Somebody is suspended when the company says so for the first time: an admin who lifts that is not overruled the next day. */
  async function store({ personId, isGone, departments }: Fact): Promise<void> {
    await ctx.db.write(async (tx) => {
      const before = (await known([personId])).get(personId)
      let isSuspended = before?.is_suspended === 1
      if (isGone && before?.is_gone !== 1 && settings().ownsStatus) isSuspended = await people.suspend(personId)
      if (!isGone && isSuspended) {
        await people.restore(personId)
        isSuspended = false
      }
      const row = {
        person_id: personId,
        is_gone: Number(isGone),
        is_suspended: Number(isSuspended),
        departments: JSON.stringify(departments),
        read_at: ctx.now(),
      }
      await tx
        .insertInto('user_center_wecom__member')
        .values(row)
        .onConflict((on) => on.column('person_id').doUpdateSet(row))
        .execute()
    })
  }

  async function readDepartments(): Promise<void> {
    const newest = await ctx.db.query
      .selectFrom('user_center_wecom__department')
      .select('read_at')
      .orderBy('read_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (newest && newest.read_at > ctx.now() - settings().seconds) return
    const { department } = await weCom.ask('/cgi-bin/department/list')
    const rows = (Array.isArray(department) ? department : [])
      .filter(({ id, name }) => whole(id) && typeof name === 'string')
      .slice(0, MOST_DEPARTMENTS)
      .map(({ id, name }) => ({ id, name: name.slice(0, 200), read_at: ctx.now() }))
    await ctx.db.write(async (tx) => {
      await tx.deleteFrom('user_center_wecom__department').execute()
      for (let at = 0; at < rows.length; at += BATCH)
        await tx
          .insertInto('user_center_wecom__department')
          .values(rows.slice(at, at + BATCH))
          .execute()
    })
  }

  return {
    /**
     * Brings facts up to date. Where WeCom does not answer, those that are there stay as they are.
     * @returns whether some were too old, and WeCom has told of all of them
     */
    async refresh(): Promise<boolean> {
      if (!weCom.isSetUp()) return false
      const facts: Fact[] = []
      let isWhole = false
      try {
        if (settings().showsDepartments) await readDepartments()
        const { found, isAll } = await stale()
        for (const asked of found) facts.push(await ask(asked))
        isWhole = isAll
        // Whoever does not log in by WeCom any more has not been read for long.
        const old = ctx.now() - 2 * settings().seconds
        if (isAll)
          await ctx.db.write((tx) =>
            tx.deleteFrom('user_center_wecom__member').where('read_at', '<', old).where('is_suspended', '=', 0).execute(),
          )
      } catch (error) {
        ctx.log.warn('WeCom does not tell about members now; what is known stays', { error: (error as Error).message })
      }
      const wereThere = facts.filter(({ wasGone }) => !wasGone)
      const gone = wereThere.filter(({ isGone }) => isGone).length
      const mayBrake = settings().ownsStatus && !settings().believesAll
      const isBraked = mayBrake && (await brake.holds({ gone, asked: wereThere.length }, isWhole))
      for (const fact of facts) if (!isBraked || !fact.isGone || fact.wasGone) await store(fact)
      if (!isBraked) await brake.release()
      return isWhole && facts.length > 0
    },

    /** Departments of somebody, by name. */
    async departmentsOf(personId: number): Promise<CentreLink[]> {
      const row = (await known([personId])).get(personId)
      const ids: number[] = row && row.is_gone === 0 ? JSON.parse(row.departments) : []
      if (ids.length === 0) return []
      const named = await ctx.db.query
        .selectFrom('user_center_wecom__department')
        .select('name')
        .where('id', 'in', ids)
        .orderBy('id')
        .execute()
      return named.map(({ name }) => ({ icon: '', name: 'department', label: name, url: '' }))
    },

    of: async (personId: number) => (await known([personId])).get(personId),
    forget: async (personId: number) => {
      await ctx.db.write((tx) => tx.deleteFrom('user_center_wecom__member').where('person_id', '=', personId).execute())
    },
  }
}
