import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Somebody in the company. `status`: 1 active, 2 disabled, 4 not activated, 5 left. */
export interface Member {
  userid: string
  name: string
  status: number
  department: number[]
  email?: string
  biz_mail?: string
}

const CODE_SECONDS = 300
const TOKEN_SECONDS = 7200
const TICKET_SECONDS = 1800
const PAGES = { outside: '/wwlogin/sso/login', inside: '/connect/oauth2/authorize' }

/**
 * WeCom as its documentation describes it: a company with one app. It knows nothing of the plugin, gives codes that work once and for five
 * minutes, refuses by `errcode` with HTTP 200, and notes what it is asked.
 */
export async function startWeCom() {
  const company = { corpid: 'ww0company', corpsecret: 'a secret of the company', agentid: '1000002', trusted: '' }
  const members = new Map<string, Member>()
  const departments = [{ id: 1, name: 'Company', parentid: 0, order: 1 }]
  const codes = new Map<string, { who: string; isMember: boolean; scope: string; until: number }>()
  const tickets = new Map<string, { who: string; until: number }>()
  const tokens = new Map<string, number>()
  const asked: { path: string; query: Record<string, string>; body?: unknown }[] = []
  /** Replies that come next, instead of the right ones, by path. */
  const faults = new Map<string, ({ errcode: number } | 'html' | 'down')[]>()
  let ahead = 0
  let made = 0
  const now = () => Date.now() / 1000 + ahead
  const fresh = (kind: string) => `${kind}${++made}${'x'.repeat(20)}`

  const fault = (errcode: number, errmsg = 'refused') => ({ errcode, errmsg })
  const ok = (reply: object = {}) => ({ errcode: 0, errmsg: 'ok', ...reply })

  function getToken({ corpid, corpsecret }: Record<string, string>) {
    if (corpid !== company.corpid) return fault(40_013, 'invalid corpid')
    if (corpsecret !== company.corpsecret) return fault(40_001, 'invalid credential')
    const alive = [...tokens].find(([, until]) => until > now())
    const [token, until] = alive ?? [fresh('token'), now() + TOKEN_SECONDS]
    tokens.set(token, until)
    return ok({ access_token: token, expires_in: Math.floor(until - now()) })
  }

  function getUserInfo({ code = '' }: Record<string, string>) {
    const one = codes.get(code)
    codes.delete(code)
    if (!one || one.until <= now()) return fault(40_029, 'invalid code')
    if (!one.isMember) return ok({ openid: one.who })
    if (one.scope !== 'snsapi_privateinfo') return ok({ userid: one.who })
    const user_ticket = fresh('ticket')
    tickets.set(user_ticket, { who: one.who, until: now() + TICKET_SECONDS })
    return ok({ userid: one.who, user_ticket, expires_in: TICKET_SECONDS })
  }

  function getUserDetail({ user_ticket = '' }: Record<string, string>) {
    const one = tickets.get(user_ticket)
    const member = one && one.until > now() ? members.get(one.who) : undefined
    return member
      ? ok({ userid: member.userid, email: member.email ?? '', biz_mail: member.biz_mail ?? '' })
      : fault(40_029, 'invalid ticket')
  }

  const getUser = ({ userid = '' }: Record<string, string>) => {
    const member = members.get(userid)
    return member ? ok({ ...member, email: undefined, biz_mail: undefined }) : fault(60_111, 'userid not found')
  }
  const simpleList = ({ department_id }: Record<string, string>) => {
    const id = Number(department_id)
    if (!departments.some((department) => department.id === id)) return fault(60_003, 'department not found')
    const userlist = [...members.values()].filter((member) => member.department.includes(id) && member.status !== 5)
    return ok({ userlist: userlist.map(({ userid, name, department }) => ({ userid, name, department })) })
  }

  const calls: Record<string, { method: string; reply: (given: Record<string, string>) => object }> = {
    '/cgi-bin/auth/getuserinfo': { method: 'GET', reply: getUserInfo },
    '/cgi-bin/auth/getuserdetail': { method: 'POST', reply: getUserDetail },
    '/cgi-bin/user/get': { method: 'GET', reply: getUser },
    '/cgi-bin/user/simplelist': { method: 'GET', reply: simpleList },
    '/cgi-bin/department/list': { method: 'GET', reply: () => ok({ department: departments }) },
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://wecom.test')
    const query = Object.fromEntries(searchParams)
    const text = await readAll(request)
    const body = text === '' ? undefined : JSON.parse(text)
    asked.push({ path: pathname, query, ...(body && { body }) })
    const next = faults.get(pathname)?.shift()
    if (next === 'down') return { status: 502, body: 'bad gateway' }
    if (next === 'html') return { status: 200, body: '<html>busy</html>' }
    const json = (reply: object) => ({ status: 200, body: JSON.stringify(reply) })
    if (next) return json(fault(next.errcode))
    if (pathname === '/cgi-bin/gettoken') return json(getToken(query))
    const call = calls[pathname]
    if (!call || call.method !== request.method) return { status: 404, body: 'no such call' }
    const until = tokens.get(query.access_token ?? '')
    if (until === undefined) return json(fault(40_014, 'invalid access_token'))
    if (until <= now()) return json(fault(42_001, 'access_token expired'))
    return json(call.reply(body ?? query))
  }

  const server: Server = createServer(async (request, reply) => {
    const { status, body } = await answer(request).catch(() => ({ status: 400, body: 'no JSON' }))
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** What WeCom would show instead of a QR code; undefined where the address is right. */
  function wrongIn(address: URL): string | undefined {
    const { pathname, searchParams: given, hash } = address
    const isInside = pathname === PAGES.inside
    const agent = given.get('agentid')
    if (pathname !== PAGES.outside && !isInside) return `no such page: ${pathname}`
    if (given.get('appid') !== company.corpid) return 'appid is wrong'
    if (agent !== company.agentid) return 'agentid is wrong'
    if (!isInside && given.get('login_type') !== 'CorpApp') return 'login_type is wrong'
    if (isInside && (given.get('response_type') !== 'code' || hash !== '#wechat_redirect')) return 'response_type is wrong'
    if (isInside && !/^snsapi_(?:base|privateinfo)$/.test(given.get('scope') ?? '')) return 'scope is wrong'
    if (!/^[a-zA-Z0-9]{1,128}$/.test(given.get('state') ?? '')) return 'state is wrong'
    const back = given.get('redirect_uri') ?? ''
    return URL.canParse(back) && new URL(back).host === company.trusted ? undefined : 'redirect_uri is not on the trusted domain'
  }

  /**
   * Somebody scans the code, or is in WeCom's browser already. @returns the address that they are sent back by
   * @throws where WeCom shows an error instead
   */
  function enter(address: string, who: string, { isMember = true, isWilling = true } = {}): string {
    const page = new URL(address)
    const wrong = page.origin === url ? wrongIn(page) : 'not WeCom'
    if (wrong) throw new Error(wrong)
    const back = new URL(page.searchParams.get('redirect_uri') ?? '')
    if (isWilling) {
      const code = fresh('code')
      codes.set(code, { who, isMember, scope: page.searchParams.get('scope') ?? 'snsapi_base', until: now() + CODE_SECONDS })
      back.searchParams.set('code', code)
    }
    back.searchParams.set('state', page.searchParams.get('state') ?? '')
    return back.href
  }

  return {
    url,
    company,
    members,
    departments,
    asked,
    faults,
    enter,
    /** Tokens are taken back, as when somebody renews the secret. */
    dropTokens: () => tokens.clear(),
    ahead: (seconds: number) => {
      ahead += seconds
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
