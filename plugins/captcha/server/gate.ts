import type { CallAbout } from '@stoa/sdk/server'
import { isStaff, kernelHooks } from '@stoa/sdk/server'
import type { CaptchaAction, CaptchaDesk } from '../shared/api.ts'
import { captchaErrors } from '../shared/api.ts'
import type { Capabilities, createChallenges } from './challenges.ts'
import type { Caller } from './counts.ts'
import { createCounts } from './counts.ts'

const POINT = 'captcha.actions'

/** Whether an address is one of a route's, whose path may have parameters: `vote/:type`. */
function fits(call: string, asked: string): boolean {
  const [parts, given] = [call.split('/'), asked.split('/')]
  return parts.length === given.length && parts.every((part, index) => part === given[index] || (index > 0 && part.startsWith(':')))
}

/** Sooner than the kernel gives a tap up: what happens then is the owner's choice. */
const MOST_MS = 5000

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${MOST_MS / 1000} s`)), MOST_MS)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Stands before calls that plugins name, and asks for a proof when somebody makes too many of them. */
export function createGate({ ctx, provider }: Capabilities, challenges: ReturnType<typeof createChallenges>) {
  const counts = createCounts(ctx.now)

  let known: { from: unknown; byCall: Map<string, CaptchaAction>; byName: Map<string, CaptchaAction> } | undefined
  /** Made anew when another set of plugins is on. */
  function actions() {
    const from = ctx.host.contributions<CaptchaAction[]>(POINT)
    if (known?.from !== from) {
      const entries = from.flatMap(({ value }) => value)
      known = {
        from,
        byCall: new Map(entries.flatMap((entry) => entry.calls.map((call) => [call, entry]))),
        byName: new Map(entries.map((entry) => [entry.action, entry])),
      }
    }
    return known
  }

  /** Nobody is asked for what nobody could give. */
  const isAsked = (entry: CaptchaAction, caller: Caller, fields: Record<string, unknown>) =>
    provider.current !== undefined && counts.isOver(entry, caller, fields)

  async function isRight(id: string, code: string, action: string, caller: Caller): Promise<boolean> {
    if (id === '' || code === '' || id.length > 100) return false
    try {
      return await inTime(challenges.redeem(id, code, action, caller))
    } catch (error) {
      ctx.log.warn('A code could not be checked', { action, error: String(error) })
      return ctx.plugin.settings.get<{ down: string }>().down === 'let'
    }
  }

  const entryOf = ({ method, path }: CallAbout) => actions().byCall.get(`${method} ${path}`)
  const isWatched = (about: CallAbout) => entryOf(about) !== undefined

  const refuse = async (about: CallAbout) => {
    const { fields, person, ip } = about
    const entry = entryOf(about)
    if (!entry || isStaff(person)) return undefined
    const caller = { person, ip }
    const [id, code] = [textOf(fields.captcha_id), textOf(fields.captcha_code)]
    if (isAsked(entry, caller, fields) && !(await isRight(id, code, entry.action, caller)))
      return captchaErrors.verification_failed({ action: entry.action })
    // It may be the name of another code that the handler looks for.
    if (id !== '') {
      delete fields.captcha_id
      delete fields.captcha_code
    }
    if (entry.counts !== 'failures') counts.add(entry, caller, fields)
    return undefined
  }
  ctx.on(kernelHooks.calling, refuse, { when: isWatched })

  ctx.on(
    kernelHooks.called,
    (about, { status, reason }) => {
      const { fields, person, ip } = about
      const entry = entryOf(about)
      if (entry?.counts !== 'failures' || entry.unless?.includes(reason)) return
      if (status < 400) counts.clear(entry, { person, ip }, fields)
      else counts.add(entry, { person, ip }, fields)
    },
    { when: isWatched },
  )

  async function puzzleFor(entry: CaptchaAction | undefined, caller: Caller & CallerPerson) {
    if (!entry || isStaff(caller.person) || !isAsked(entry, caller, {})) return undefined
    return await challenges.create(entry.action, caller, ctx.site.language)
  }

  const desk: CaptchaDesk = {
    async record(action, who) {
      const puzzle = await puzzleFor(actions().byName.get(action), who)
      return { captcha_id: puzzle?.id ?? '', captcha_img: puzzle?.picture ?? '', verify: puzzle !== undefined }
    },
  }
  return {
    desk,
    /** After a refusal: by what was typed somebody may be asked who would not be otherwise. */
    async challenge(method: string, path: string, who: Parameters<CaptchaDesk['record']>[1], language: string) {
      const asked = `${method} ${path.replace(/\/+$/, '')}`
      const { byCall } = actions()
      const entry = byCall.get(asked) ?? [...byCall].find(([call]) => fits(call, asked))?.[1]
      if (!entry || isStaff(who.person)) return undefined
      return await challenges.create(entry.action, who, language)
    },
  }
}

type CallerPerson = Parameters<CaptchaDesk['record']>[1]
