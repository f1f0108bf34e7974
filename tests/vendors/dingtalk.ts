import { randomUUID } from 'node:crypto'
import type { Answer, Call } from './vendor.ts'
import { json, page, same, sendTo, startVendor, token, withQuery } from './vendor.ts'

export interface DingTalkPerson {
  /** The same in every app of one developer. */
  unionId: string
  nick: string
  avatarUrl?: string
  mobile?: string
  email?: string
  /** Companies they may choose on the log-in page, the first of which they take. */
  corpIds?: string[]
}

export interface DingTalkApp {
  /** AppKey of the app. */
  clientId: string
  clientSecret: string
  /** Addresses registered with the app, compared as they are. */
  redirects: string[]
  people: DingTalkPerson[]
  /** `Contact.User.Read`, without which nobody's profile is told. On unless it is false. */
  mayReadPeople?: boolean
  /** Calls a second to one address. */
  perSecond?: number
}

interface Grant {
  person: DingTalkPerson
  corpId: string | undefined
  until: number
}

const CODE_LIFE_MS = 5 * 60_000
const TOKEN_LIFE_S = 7_200
const REFRESH_LIFE_MS = 30 * 24 * 3_600_000

const refuse = (status: number, code: string, message: string, more: object = {}): Answer =>
  json(status, { code, requestid: randomUUID().toUpperCase(), message, ...more })

/**
 * DingTalk's log-in for third-party sites, from its published pages: the log-in page, `userAccessToken`, `contact/users/me` and the page about limits.
 * Errors are 4xx with `code`, `message` and `requestid`; a limit is a 403 as well, told by its code. There is no PKCE.
 */
export async function startDingTalk(app: DingTalkApp) {
  const codes = new Map<string, Grant & { used: boolean }>()
  const access = new Map<string, Grant>()
  const renewals = new Map<string, Grant>()
  const perSecond = new Map<string, number>()
  const people = new Map(app.people.map((person) => [person.unionId, person]))
  const door: { unionId: string; answer: 'agree' | 'deny' } = { unionId: app.people[0]?.unionId ?? '', answer: 'agree' }

  function logInPage({ query }: Call): Answer {
    if (query.get('client_id') !== app.clientId) return page(200, '应用不存在')
    const redirect = query.get('redirect_uri') ?? ''
    if (!app.redirects.includes(redirect)) return page(200, '回调地址未在开发者后台配置')
    const scopes = (query.get('scope') ?? '').split(' ')
    const isComplete = query.get('response_type') === 'code' && query.get('prompt') === 'consent' && scopes[0] === 'openid'
    if (!isComplete || scopes.slice(1).some((scope) => scope !== 'corpid')) return page(200, '链接参数错误')
    const state = query.get('state') ?? undefined
    const person = people.get(door.unionId)
    if (door.answer === 'deny' || !person) return sendTo(withQuery(redirect, { error: 'access_denied', state }))
    const authCode = token(16)
    const corpId = scopes.includes('corpid') ? (query.get('corpId') ?? person.corpIds?.[0]) : undefined
    codes.set(authCode, { person, corpId, until: vendor.now() + CODE_LIFE_MS, used: false })
    return sendTo(withQuery(redirect, { authCode, state }))
  }

  function give({ person, corpId }: Grant): Answer {
    const [accessToken, refreshToken] = [token(16), token(16)]
    access.set(accessToken, { person, corpId, until: vendor.now() + TOKEN_LIFE_S * 1000 })
    renewals.set(refreshToken, { person, corpId, until: vendor.now() + REFRESH_LIFE_MS })
    return json(200, { expireIn: TOKEN_LIFE_S, accessToken, refreshToken, ...(corpId ? { corpId } : {}) })
  }

  function exchange(call: Call): Answer {
    if (!call.headers['content-type']?.includes('application/json')) return refuse(400, 'Missingbody', 'body is mandatory for this action.')
    let sent: Record<string, unknown>
    try {
      sent = JSON.parse(call.body)
    } catch {
      return refuse(400, 'InvalidParameter', 'body is not JSON')
    }
    const isApp = same(String(sent.clientId), app.clientId) && same(String(sent.clientSecret), app.clientSecret)
    if (!isApp) return refuse(400, 'invalidClientIdOrSecret', '无效的clientId或者clientSecret')
    if (sent.grantType === 'refresh_token') {
      const renewal = renewals.get(String(sent.refreshToken))
      renewals.delete(String(sent.refreshToken))
      return renewal && renewal.until > vendor.now()
        ? give(renewal)
        : refuse(400, 'invalidParameter.refreshToken.notFound', '不合法的refreshToken')
    }
    if (sent.grantType !== 'authorization_code') return refuse(400, 'invalidParameter.grantType', '不合法的grantType')
    const code = codes.get(String(sent.code))
    if (!code || code.used || code.until <= vendor.now()) return refuse(400, 'invalidParameter.authCode.notFound', '不合法的临时授权码')
    code.used = true
    return give(code)
  }

  function me(call: Call): Answer {
    const found = access.get(String(call.headers['x-acs-dingtalk-access-token'] ?? ''))
    if (!found || found.until <= vendor.now()) return refuse(400, 'InvalidAuthentication', '不合法的access_token')
    if (app.mayReadPeople === false) {
      return refuse(403, 'Forbidden.AccessDenied.AccessTokenPermissionDenied', '没有调用该接口的权限', {
        accessdenieddetail: { requiredScopes: ['Contact.User.Read'] },
      })
    }
    const { unionId, nick, avatarUrl, mobile, email } = found.person
    // An openId is of one person in one app.
    const openId = Buffer.from(`${app.clientId}:${unionId}`).toString('base64url')
    return json(200, { nick, unionId, openId, avatarUrl, mobile, email, stateCode: mobile ? '86' : undefined, visitor: false })
  }

  function api(call: Call): Answer {
    const second = `${call.path} ${Math.floor(vendor.now() / 1000)}`
    const used = (perSecond.get(second) ?? 0) + 1
    perSecond.set(second, used)
    if (used > (app.perSecond ?? 20)) return refuse(403, 'Forbidden.AccessDenied.QpsLimitForAppkeyAndApi', '接口调用超过QPS限制')
    if (call.path === '/v1.0/oauth2/userAccessToken' && call.method === 'POST') return exchange(call)
    if (call.path === '/v1.0/contact/users/me' && call.method === 'GET') return me(call)
    return refuse(404, 'InvalidAction.NotFound', 'Specified api is not found, please check your url and method.')
  }

  const vendor = await startVendor({
    login: (call) => (call.path === '/oauth2/auth' && call.method === 'GET' ? logInPage(call) : page(404, 'Not Found')),
    api,
  })
  return { ...vendor, app, people, door, /** Makes every token given so far invalid before its time. */ revokeAll: () => access.clear() }
}
