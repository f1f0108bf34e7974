import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Scanner {
  unionId: string
  openId: string
  nick: string
  email?: string
}

const CODE_SECONDS = 300

/** DingTalk as its documentation describes it: one app. Codes work once and for five minutes, refusals have a status and a `code`; it notes what it is asked. */
export async function startDingTalk() {
  const app = { clientId: 'dingapp', clientSecret: 'a secret of the app', redirect: '' }
  const codes = new Map<string, { who: Scanner; corpId: string; until: number }>()
  const tokens = new Map<string, Scanner>()
  const asked: { path: string; body?: unknown }[] = []
  /** Replies that come next instead of the right ones. */
  const faults: { status: number; body: string }[] = []
  let ahead = 0
  let made = 0
  const now = () => Date.now() / 1000 + ahead
  const fresh = (kind: string) => `${kind}${++made}${'y'.repeat(20)}`
  const refuse = (status: number, code: string) => ({
    status,
    body: JSON.stringify({ code, message: 'refused', requestid: fresh('request') }),
  })

  function giveToken({ clientId, clientSecret, code = '', grantType }: Record<string, string>) {
    if (clientId !== app.clientId || clientSecret !== app.clientSecret) return refuse(400, 'invalidClientIdOrSecret')
    if (grantType !== 'authorization_code') return refuse(400, 'invalidGrantType')
    const one = codes.get(code)
    codes.delete(code)
    if (!one || one.until <= now()) return refuse(400, 'invalidAuthCode')
    const accessToken = fresh('token')
    tokens.set(accessToken, one.who)
    const reply = { accessToken, refreshToken: fresh('refresh'), expireIn: 7200, ...(one.corpId && { corpId: one.corpId }) }
    return { status: 200, body: JSON.stringify(reply) }
  }

  async function answer(request: IncomingMessage) {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const body = text === '' ? undefined : JSON.parse(text)
    asked.push({ path: request.url ?? '', ...(body && { body }) })
    const fault = faults.shift()
    if (fault) return fault
    if (request.method === 'POST' && request.url === '/v1.0/oauth2/userAccessToken')
      return request.headers['content-type'] === 'application/json' ? giveToken(body) : refuse(415, 'unsupportedMediaType')
    if (request.method !== 'GET' || request.url !== '/v1.0/contact/users/me') return refuse(404, 'InvalidAction.NotFound')
    const who = tokens.get(String(request.headers['x-acs-dingtalk-access-token']))
    return who
      ? { status: 200, body: JSON.stringify({ ...who, stateCode: '86' }) }
      : refuse(403, 'Forbidden.AccessDenied.AccessTokenPermissionDenied')
  }

  const server = createServer(async (request, reply) => {
    const { status, body } = await answer(request).catch(() => refuse(400, 'InvalidParameter'))
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Somebody scans what the page shows. `corpId`: the company they choose. @returns the address that they are sent back by @throws where DingTalk shows an error */
  function enter(address: string, who: Scanner, { corpId = '', isWilling = true } = {}): string {
    const { origin, pathname, searchParams: given } = new URL(address)
    if (origin !== url || pathname !== '/oauth2/auth') throw new Error('no such page')
    if (given.get('client_id') !== app.clientId) throw new Error('client_id is wrong')
    if (given.get('response_type') !== 'code') throw new Error('response_type is wrong')
    if (given.get('prompt') !== 'consent') throw new Error('prompt is wrong')
    if (given.get('redirect_uri') !== app.redirect) throw new Error('redirect_uri is not the registered one')
    const scope = given.get('scope')
    if (scope !== 'openid' && scope !== 'openid corpid') throw new Error('scope is wrong')
    const back = new URL(app.redirect)
    if (isWilling) {
      const code = fresh('code')
      codes.set(code, { who, corpId: scope === 'openid corpid' ? corpId : '', until: now() + CODE_SECONDS })
      back.searchParams.set('authCode', code)
    } else back.searchParams.set('error', 'access_denied')
    back.searchParams.set('state', given.get('state') ?? '')
    return back.href
  }

  return {
    url,
    app,
    asked,
    faults,
    enter,
    ahead: (seconds: number) => {
      ahead += seconds
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
