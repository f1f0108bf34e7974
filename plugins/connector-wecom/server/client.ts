import type { ServerContext } from '@stoa/sdk/server'
import type { WeCom, WeComReply } from '../shared/api.ts'
import type { Settings } from './settings.ts'
import { isFilledIn } from './settings.ts'

/** WeCom says no: HTTP is 200 all the same. */
export class WeComError extends Error {
  /** Such as 40029 for a code that is used or too old. */
  readonly errcode: number
  constructor(errcode: number, errmsg: string) {
    super(`WeCom says ${errcode}: ${errmsg.slice(0, 200)}`)
    this.errcode = errcode
  }
}

/** The token is none, or too old: another one is fetched. */
const TOKEN_IS_OVER = [40_014, 42_001]
const IS_BUSY = -1
/** The address of this server is not among those that the app trusts; a token is given all the same. */
export const NOT_FROM_HERE = 60_020
/** So long before its end a token is not used any more, in seconds. */
const SPARE = 300

type Given = Parameters<WeCom['ask']>[1]

/** What keeps a company's token and renews it. Every node has its own: WeCom gives all of them the same one. */
export function createClient(ctx: ServerContext, settings: () => Settings) {
  let kept: { of: string; until: number; token: Promise<string> } | undefined

  async function send(url: URL, body: Record<string, unknown> | undefined): Promise<WeComReply> {
    const asJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await ctx.host.fetch(url.href, body ? asJson : {})
    if (!response.ok) throw new Error(`WeCom answers with ${response.status}`)
    const answer: WeComReply | null = await response.json().catch(() => null)
    if (!answer) throw new Error('WeCom answers no JSON')
    const { errcode, errmsg, ...reply } = answer
    if (typeof errcode === 'number' && errcode !== 0) throw new WeComError(errcode, String(errmsg))
    return reply
  }

  /** @throws {WeComError} 40001 or 40013 where secret or company are wrong */
  async function fetchToken({ api_url, corp_id, corp_secret }: Settings): Promise<{ token: string; seconds: number }> {
    const url = new URL('/cgi-bin/gettoken', api_url)
    url.search = new URLSearchParams({ corpid: corp_id, corpsecret: corp_secret }).toString()
    const { access_token, expires_in } = await send(url, undefined)
    if (typeof access_token !== 'string' || typeof expires_in !== 'number') throw new Error('WeCom gives no token')
    return { token: access_token, seconds: expires_in }
  }

  /**
   * Fetches a token and offers a code that nobody was given, which is refused for itself where all else is right.
   * @throws {WeComError} 40001 or 40013 where secret or company are wrong, 60020 where this server may not call
   */
  async function tryKeys(given: Settings): Promise<void> {
    const url = new URL('/cgi-bin/auth/getuserinfo', given.api_url)
    url.search = new URLSearchParams({ access_token: (await fetchToken(given)).token, code: 'none' }).toString()
    await send(url, undefined).catch((error: unknown) => {
      if (!(error instanceof WeComError) || error.errcode === NOT_FROM_HERE) throw error
    })
  }

  function token(): Promise<string> {
    const now = settings()
    const of = JSON.stringify(now)
    if (kept?.of === of && kept.until > ctx.now()) return kept.token
    // Those who ask meanwhile wait for the same one.
    const fresh = { of, until: ctx.now() + SPARE, token: Promise.resolve('') }
    fresh.token = fetchToken(now).then(({ token, seconds }) => {
      // WeCom gives the same one again: near its end it is used until it ends, not fetched for every call.
      fresh.until = ctx.now() + (seconds > 2 * SPARE ? seconds - SPARE : seconds)
      return token
    })
    fresh.token.catch(() => forget(fresh))
    kept = fresh
    return fresh.token
  }

  function forget(one: typeof kept): void {
    if (kept === one) kept = undefined
  }

  async function once(path: string, { query = {}, body }: NonNullable<Given>): Promise<WeComReply> {
    const access_token = await token()
    const used = kept
    const url = new URL(path, settings().api_url)
    url.search = new URLSearchParams({ access_token, ...query }).toString()
    try {
      return await send(url, body)
    } catch (error) {
      if (error instanceof WeComError && TOKEN_IS_OVER.includes(error.errcode)) forget(used)
      throw error
    }
  }

  const client: WeCom = {
    isSetUp: () => isFilledIn(settings()),
    companyId: () => settings().corp_id,
    async ask(path, given = {}) {
      if (!isFilledIn(settings())) throw new Error('WeCom is not set up')
      try {
        return await once(path, given)
      } catch (error) {
        const isWorthAnother = error instanceof WeComError && [...TOKEN_IS_OVER, IS_BUSY].includes(error.errcode)
        if (!isWorthAnother) throw error
        return once(path, given)
      }
    },
  }
  return { client, tryKeys }
}
