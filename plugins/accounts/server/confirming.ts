import type { Principal, Provided, RouteReply, ServerContext, Wanted } from '@stoa/sdk/server'
import { baseErrors, job } from '@stoa/sdk/server'
import type { SiteSettings } from '../../site/shared/api.ts'
import type { Confirmation, Confirmer, confirmers, waysIn } from '../shared/api.ts'
import { confirmingErrors } from '../shared/api.ts'
import type { Attempt } from './attempts.ts'
import { attemptCookie, createAttempts, sha256 } from './attempts.ts'
import type { Mails } from './mails.ts'
import { mailLanguage } from './mails.ts'
import type { Profiles } from './profiles.ts'
import { limitMailsTo } from './rules.ts'
import type { AccountTables } from './tables.ts'

/** A session counts as confirmed for so long. */
const CONFIRMED_SECONDS = 600
const PASSWORD = 'accounts.password'
const MAIL = 'accounts.mail'

/** What a person sends as proof, as the calls have it. */
export interface Proof {
  method?: string
  code?: string
  given?: Record<string, string>
}

type Tools = {
  ctx: ServerContext<AccountTables>
  settings: SiteSettings
  profiles: Profiles
  mails: Mails
  offered: Wanted<typeof confirmers>
  ways: Wanted<typeof waysIn>
}

/** Which attempt a mailed code is for; the code itself is made when the mail is sent, and stands in no queue. */
const confirmMail = job<{ attempt: string; personId: number; language: string }>('accounts.confirm_mail')

/** A method that takes nothing but a typed code, which stands for itself. */
const takesCode = ({ fields, begin }: Confirmer): boolean => fields.length === 1 && fields[0]?.name === 'code' && begin === undefined

/** Second steps of a login, and confirmation of a session that is open. */
export function createConfirming({ ctx, settings, profiles, mails, offered, ways }: Tools) {
  const attempts = createAttempts(ctx)

  const password: Confirmer = {
    id: PASSWORD,
    name: 'accounts.confirmer.password',
    fields: [{ name: 'password', label: 'accounts.confirmer.password', type: 'password' }],
    isSetUp: async (id) =>
      (await ctx.host.credentials.find(id))?.hasPassword === true && (await settings.get('login')).allow_password_login,
    check: (id, { password = '' }) => ctx.host.credentials.checkPassword(id, password.slice(0, 200)),
  }
  const mail: Confirmer = {
    id: MAIL,
    name: 'accounts.confirmer.mail',
    fields: [{ name: 'code', label: 'accounts.confirmer.mail_code', type: 'code' }],
    isSetUp: async () => true,
    begin: async () => ({ shown: null, kept: '' }),
    check: async (_id, { code = '' }, kept) => kept !== '' && sha256(code.replace(/\D/g, '')) === kept,
  }
  ctx.jobs.handle(confirmMail, async ({ attempt, personId, language }) => {
    const principal = await ctx.host.credentials.find(personId)
    if (!principal || principal.state === 'deleted') return
    const code = String(Number.parseInt(Buffer.from(ctx.host.random(6), 'base64url').toString('hex'), 16) % 1e8).padStart(8, '0')
    if (!(await attempts.keep(attempt, MAIL, sha256(code)))) return
    const { display_name: name, language: chosen } = await profiles.ensure(principal)
    await mails.sendCode({ email: principal.login, name, language: mailLanguage(chosen, language) }, code)
  })

  const all = (): (Confirmer & { slug: string })[] =>
    offered.current.flatMap(({ slug, service }: Provided<{ confirmers: readonly Confirmer[] }>) =>
      service.confirmers.map((confirmer) => ({ ...confirmer, slug })),
    )

  async function setUpBy(id: number, some: readonly Confirmer[]): Promise<Confirmer[]> {
    const flags = await Promise.all(some.map((confirmer) => confirmer.isSetUp(id)))
    return some.filter((_, n) => flags[n])
  }

  /** A plugin that is off is not asked for; its owner decided that. One that fails lets nobody in. */
  function refuseFailing(slug: string, id: number): void {
    const row = ctx.host.plugins.list().find((plugin) => plugin.slug === slug)
    if (row && row.state !== 'off') throw confirmingErrors.second_step_unavailable({ slug, id })
  }

  /** What is demanded of somebody after their password, one of which is enough; empty: the password is. @throws `error.accounts.second_step_unavailable` */
  async function stepOf({ id, needsMore }: Pick<Principal, 'id' | 'needsMore'>): Promise<Confirmer[]> {
    if (!needsMore) return []
    const rows = await ctx.db.query.selectFrom('accounts__demand').select('slug').where('person_id', '=', id).execute()
    const here = all()
    for (const { slug } of rows) if (!here.some((confirmer) => confirmer.slug === slug)) refuseFailing(slug, id)
    const usable = await setUpBy(
      id,
      here.filter(({ atLogin }) => atLogin),
    )
    return usable.some(({ atLogin }) => atLogin === 'demanded') ? usable : []
  }

  /** How somebody who is signed in may confirm it. Where a second step is demanded, less than that is no confirmation. */
  async function waysToConfirm(principal: Principal): Promise<Confirmer[]> {
    const step = await stepOf(principal)
    if (step.length > 0) return step
    const own = await setUpBy(principal.id, [password, ...all().filter(({ atLogin }) => atLogin !== 'demanded')])
    return [...own, mail]
  }

  const shown = (methods: readonly Confirmer[]) =>
    methods.map(({ id, name, fields, begin }) => ({
      id,
      name: ctx.host.texts.text(name),
      fields: fields.map(({ name, label, type }) => ({ name, label: ctx.host.texts.text(label), type })),
      begins: begin !== undefined,
    }))

  /** Whether one of the methods takes it. What it was begun with is taken once, but for codes that may be mistyped. */
  async function proves(methods: readonly Confirmer[], id: number, proof: Proof, attempt?: Attempt): Promise<boolean> {
    const given = { ...proof.given, ...(proof.code !== undefined && { code: proof.code }) }
    const meant = proof.method === undefined ? methods.filter(takesCode) : methods.filter((one) => one.id === proof.method)
    if (meant.some(({ fields }) => fields.length > 0)) await attempts.guess(id)
    for (const confirmer of meant) {
      let kept = ''
      if (confirmer.begin) {
        if (!attempt || attempt.personId !== id || attempt.method !== confirmer.id) continue
        kept = attempt.kept
        if (confirmer.fields.length === 0 && !(kept !== '' && (await attempts.keep(attempt.hash, '', '', kept)))) continue
      }
      if (await confirmer.check(id, given, kept)) {
        await attempts.forgetGuesses(id)
        return true
      }
    }
    return false
  }

  async function begin(confirmer: Confirmer | undefined, attempt: Attempt, personId: number | null): Promise<{ shown: unknown }> {
    if (!confirmer?.begin) throw baseErrors.request_format_error({ detail: 'method' })
    const { shown, kept } = await confirmer.begin(personId)
    if (!(await attempts.keep(attempt.hash, confirmer.id, kept))) throw confirmingErrors.attempt_over()
    return { shown }
  }

  /** @throws `error.accounts.attempt_over` when their password, address, role or state changed since */
  async function personOf({ personId, revision }: Attempt): Promise<Principal> {
    const principal = await ctx.host.credentials.find(personId)
    if (!principal || principal.revision !== revision || principal.state === 'deleted') throw confirmingErrors.attempt_over()
    return principal
  }

  const wrong = (method = 'code') =>
    confirmingErrors.proof_wrong({ method }, [{ error_field: 'code', error_msg: confirmingErrors.proof_wrong.code }])

  /** Counts a session as confirmed, in the current transaction. */
  async function confirmed(token: string, personId: number): Promise<void> {
    const row = { session_hash: sha256(token), person_id: personId, confirmed_at: ctx.now() }
    await ctx.db.write(async (tx) => {
      await tx
        .deleteFrom('accounts__confirmation')
        .where('confirmed_at', '<=', ctx.now() - CONFIRMED_SECONDS)
        .execute()
      await tx
        .insertInto('accounts__confirmation')
        .values(row)
        .onConflict((conflict) => conflict.column('session_hash').doUpdateSet(row))
        .execute()
    })
  }

  const service: Confirmation = {
    async require({ person, token }) {
      if (!person || !token) throw baseErrors.unauthorized_error()
      const row = await ctx.db.query
        .selectFrom('accounts__confirmation')
        .select('person_id')
        .where('session_hash', '=', sha256(token))
        .where('person_id', '=', person.id)
        .where('confirmed_at', '>', ctx.now() - CONFIRMED_SECONDS)
        .executeTakeFirst()
      if (row) return
      const principal = await ctx.host.credentials.find(person.id)
      throw confirmingErrors.confirm({}, { type: 'confirm', methods: principal ? shown(await waysToConfirm(principal)) : [] })
    },
    async demand(personId, slug, isDemanded) {
      await ctx.db.write(async (tx) => {
        await tx.deleteFrom('accounts__demand').where('person_id', '=', personId).where('slug', '=', slug).execute()
        if (isDemanded) await tx.insertInto('accounts__demand').values({ person_id: personId, slug }).execute()
        const rest = await tx.selectFrom('accounts__demand').select('slug').where('person_id', '=', personId).executeTakeFirst()
        await ctx.host.credentials.setNeedsMore(personId, rest !== undefined)
      })
    },
    async hasOtherWay(personId, slug) {
      if (await password.isSetUp(personId)) return true
      const others = ways.current.filter((way) => way.slug !== slug)
      const lets = await Promise.all(others.map(({ service }) => service.letsIn([personId])))
      return lets.some((people) => people.has(personId))
    },
  }

  return {
    service,
    confirmed,

    /**
     * Whether this person may come in now, after their password or a mailed link. Otherwise the browser gets an attempt, and what is asked for next
     * is said. @param code from clients that send it at once
     * @throws `error.accounts.second_step`
     */
    async demandStep(principal: Principal, reply: RouteReply, code?: string): Promise<void> {
      const step = await stepOf(principal)
      if (step.length === 0) return
      if (code) {
        if (await proves(step, principal.id, { code })) return
        throw confirmingErrors.proof_wrong({ method: 'code' }, [
          { error_field: 'captcha_code', error_msg: confirmingErrors.proof_wrong.code },
        ])
      }
      await attempts.open('login', principal, reply)
      const error_msg = confirmingErrors.second_step.code
      throw confirmingErrors.second_step({ id: principal.id }, [
        { error_field: 'pass', error_msg },
        { error_field: 'second_step', error_msg },
      ])
    },

    /** What is asked for in a browser that has given the password. */
    async pending(cookies: string | undefined) {
      const attempt = await attempts.find('login', cookies)
      if (!attempt?.personId) return null
      const principal = await ctx.host.credentials.find(attempt.personId)
      return principal?.revision === attempt.revision ? { methods: shown(await stepOf(principal)) } : null
    },

    async beginLogin({ method, anew = false }: { method: string; anew?: boolean }, cookies: string | undefined, reply: RouteReply) {
      const attempt = anew ? undefined : await attempts.find('login', cookies)
      if (attempt?.personId) {
        const methods = await stepOf(await personOf(attempt))
        return begin(
          methods.find(({ id }) => id === method),
          attempt,
          attempt.personId,
        )
      }
      const confirmer = all().find(({ id, identify }) => id === method && identify)
      if (!confirmer) throw baseErrors.request_format_error({ detail: 'method' })
      return begin(confirmer, await attempts.open('login', null, reply), null)
    },

    /** Who has proven who they are in this browser; the attempt is used up. @throws `error.accounts.proof_wrong`, `error.accounts.attempt_over` */
    async proveLogin(proof: Proof, cookies: string | undefined): Promise<Principal> {
      const attempt = await attempts.count('login', cookies)
      if (attempt.personId) {
        const principal = await personOf(attempt)
        if (!(await proves(await stepOf(principal), principal.id, proof, attempt))) throw wrong(proof.method)
        await attempts.use(attempt.hash)
        return principal
      }
      const confirmer = all().find(({ id, identify }) => id === attempt.method && id === proof.method && identify)
      const isOurs = attempt.kept !== '' && (await attempts.keep(attempt.hash, '', '', attempt.kept))
      const id = isOurs ? await confirmer?.identify?.(proof.given ?? {}, attempt.kept) : undefined
      const principal = id === undefined ? undefined : await ctx.host.credentials.find(id)
      if (!principal || principal.state === 'deleted') throw wrong(proof.method)
      await attempts.use(attempt.hash)
      return principal
    },

    async beginConfirm({ method }: { method: string }, personId: number, language: string, reply: RouteReply) {
      const principal = (await ctx.host.credentials.find(personId)) as Principal
      const confirmer = (await waysToConfirm(principal)).find(({ id }) => id === method)
      if (!confirmer?.begin) throw baseErrors.request_format_error({ detail: 'method' })
      if (confirmer === mail) await limitMailsTo(ctx, principal.login)
      const attempt = await attempts.open('confirm', principal, reply)
      const begun = await begin(confirmer, attempt, personId)
      if (confirmer === mail)
        await ctx.jobs.enqueue(confirmMail, { attempt: attempt.hash, personId, language }, { key: `confirm ${personId}` })
      return begun
    },

    /** @throws `error.accounts.proof_wrong` at the field that was typed */
    async confirm(proof: Proof, personId: number, token: string, cookies: string | undefined): Promise<void> {
      const principal = (await ctx.host.credentials.find(personId)) as Principal
      const methods = await waysToConfirm(principal)
      const begins = methods.some(({ id, begin }) => id === proof.method && begin)
      const attempt = begins ? await attempts.count('confirm', cookies) : undefined
      if (attempt) await personOf(attempt)
      if (!(await proves(methods, personId, proof, attempt))) {
        const field = methods.find(({ id }) => id === proof.method)?.fields[0]?.name ?? 'code'
        throw confirmingErrors.proof_wrong({ method: proof.method }, [{ error_field: field, error_msg: confirmingErrors.proof_wrong.code }])
      }
      await ctx.db.write(async () => {
        if (attempt) await attempts.use(attempt.hash)
        await confirmed(token, personId)
      })
    },

    /** Forgets the cookie of an attempt that is used up. */
    forget: (reply: RouteReply) => reply.cookie(attemptCookie.name, null),
  }
}
export type Confirming = ReturnType<typeof createConfirming>
