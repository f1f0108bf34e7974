import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import type { Answer, Call } from './vendor.ts'
import { json, page, same, sendTo, startVendor, token, withQuery } from './vendor.ts'

export interface WeComMember {
  userid: string
  name: string
  department: number[]
  /** 1 active, 2 disabled, 4 not activated, 5 left. */
  status?: 1 | 2 | 4 | 5
  mobile?: string
  email?: string
  biz_mail?: string
  avatar?: string
  /** Outside of what the app may see: they log in, but the app is told nothing about them. */
  hidden?: boolean
}

export interface WeComCompany {
  corpId: string
  agentId: number
  secret: string
  /** Host (and port, unless it is the usual one) that codes may be sent back to. */
  trustedDomain: string
  members: WeComMember[]
  departments?: { id: number; name: string; parentid: number; order?: number }[]
  /** Apps made since June 2022 are told no addresses and no numbers by `user/get`. On unless it is false. */
  fewFields?: boolean
  /** Addresses the app may call from; all where it is not given. */
  trustedIps?: string[]
  perMinute?: number
  /** Of the callback: what is entered on the vendor's page of the app. */
  callback?: { token: string; aesKey: string }
}

interface Code {
  /** A member's id, or that of somebody outside of the company. */
  userid?: string | undefined
  openid?: string
  withTicket: boolean
  redirect: URL
  until: number
}

const CODE_LIFE_MS = 5 * 60_000
const TICKET_LIFE_MS = 1_800_000
const TOKEN_LIFE_S = 7_200

const messages: Record<number, string> = {
  [-1]: 'system busy',
  40001: 'invalid credential',
  40013: 'invalid corpid',
  40014: 'invalid access_token',
  40029: 'invalid code',
  40058: 'invalid Request Parameter',
  41001: 'access_token missing',
  41002: 'corpid missing',
  41004: 'corpsecret missing',
  41008: 'missing code',
  42001: 'access_token expired',
  43001: 'require GET method',
  43002: 'require POST method',
  45009: 'api freq out of limit',
  45033: 'api concurrent out of limit',
  50001: 'redirect_url unauthorized',
  60011: 'no privilege to access/modify contact/party/agent',
  60020: 'not allow to access from your ip',
  60111: 'userid not found',
}

/** WeCom's errors all come with 200; the text has the caller's address and changes from call to call, so nobody can compare it. */
export const errcode = (code: number): Answer =>
  json(200, {
    errcode: code,
    errmsg: `${messages[code] ?? 'error'}, hint: [${Date.now()}${randomBytes(4).readUInt32BE()}], from ip: 127.0.0.1, more info at https://open.work.weixin.qq.com/devtool/query?e=${code}`,
  })

const ok = (body: object): Answer => json(200, { errcode: 0, errmsg: 'ok', ...body })

/** The vendor's signature of a callback: the four in order of their text, joined. */
const signature = (...parts: string[]) => createHash('sha1').update(parts.sort().join('')).digest('hex')

/** The vendor's encryption of a callback: 16 bytes at random, the length in network order, the text, whom it is for; filled up to 32 bytes. */
function encrypt(text: string, aesKey: string, receiver: string): string {
  const key = Buffer.from(`${aesKey}=`, 'base64')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(text))
  const plain = Buffer.concat([randomBytes(16), length, Buffer.from(text), Buffer.from(receiver)])
  const missing = 32 - (plain.length % 32)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.alloc(missing, missing)])), cipher.final()]).toString('base64')
}

/**
 * The parts of WeCom that a site logs people in with, from its published pages: log-in by QR code, log-in in its own browser, `gettoken`,
 * `auth/getuserinfo`, `auth/getuserdetail`, reading members and departments, the page of error codes, and the encryption of callbacks.
 */
export async function startWeCom(company: WeComCompany) {
  const codes = new Map<string, Code>()
  const tickets = new Map<string, { userid: string; until: number }>()
  const members = new Map(company.members.map((member) => [member.userid, member]))
  const perMinute = new Map<string, number>()
  const expired = new Set<string>()
  let current: { token: string; until: number } | undefined
  /** Who holds the telephone, and what they press. Somebody outside of the company is an `openid:` with anything after it. */
  const door: { userid: string; answer: 'agree' | 'deny' } = { userid: company.members[0]?.userid ?? '', answer: 'agree' }

  /** What all three log-in pages have in common. A mistake is told on the vendor's own page, to whoever looks at it. */
  function answerPage(query: URLSearchParams, isComplete: boolean, withTicket: boolean): Answer {
    const redirect = query.get('redirect_uri') ?? ''
    const state = query.get('state') ?? undefined
    if (query.get('appid') !== company.corpId || !isComplete || !URL.canParse(redirect)) return page(200, '参数错误')
    if (state !== undefined && !/^[a-zA-Z0-9]{0,128}$/.test(state)) return page(200, '参数错误：state')
    if (new URL(redirect).host !== company.trustedDomain) return page(200, 'redirect_uri 与配置的授权完成回调域名不一致 (50001)')
    if (door.answer === 'deny') return sendTo(withQuery(redirect, { state }))
    const openid = door.userid.startsWith('openid:') ? door.userid.slice('openid:'.length) : undefined
    const code = token(32)
    const who = openid === undefined ? { userid: door.userid } : { openid }
    codes.set(code, { ...who, withTicket, redirect: new URL(redirect), until: vendor.now() + CODE_LIFE_MS })
    return sendTo(withQuery(redirect, { code, state }))
  }

  const isAgent = (query: URLSearchParams) => query.get('agentid') === String(company.agentId)

  function ssoPage({ query }: Call): Answer {
    return answerPage(query, query.get('login_type') === 'CorpApp' && isAgent(query), false)
  }

  /** `#wechat_redirect` never reaches a server; without `agentid` a private scope is refused. */
  function inAppPage({ query, headers }: Call): Answer {
    if (!/wxwork/i.test(headers['user-agent'] ?? '')) return page(200, '请在企业微信客户端打开链接')
    const scope = query.get('scope')
    const isPrivate = scope === 'snsapi_privateinfo'
    const isComplete = query.get('response_type') === 'code' && (scope === 'snsapi_base' || (isPrivate && isAgent(query)))
    return answerPage(query, isComplete, isPrivate)
  }

  function getToken({ query }: Call): Answer {
    if (!query.get('corpid')) return errcode(41002)
    if (!query.get('corpsecret')) return errcode(41004)
    if (!same(query.get('corpid') ?? '', company.corpId)) return errcode(40013)
    if (!same(query.get('corpsecret') ?? '', company.secret)) return errcode(40001)
    if (!current || current.until <= vendor.now()) {
      if (current) expired.add(current.token)
      current = { token: token(64), until: vendor.now() + TOKEN_LIFE_S * 1000 }
    }
    // Asked again in its life it is the same, and lives no longer.
    return ok({ access_token: current.token, expires_in: Math.ceil((current.until - vendor.now()) / 1000) })
  }

  /** @returns the error a token earns, if it does */
  function tokenError(given: string | null): number | undefined {
    if (!given) return 41001
    if (current && same(given, current.token)) return current.until > vendor.now() ? undefined : 42001
    return expired.has(given) ? 42001 : 40014
  }

  function getUserInfo({ query }: Call): Answer {
    const given = query.get('code')
    if (!given) return errcode(41008)
    const code = given.length <= 512 ? codes.get(given) : undefined
    codes.delete(given)
    if (!code || code.until <= vendor.now()) return errcode(40029)
    if (code.redirect.host !== company.trustedDomain) return errcode(50001)
    if (code.openid !== undefined) return ok({ openid: code.openid })
    const userid = code.userid ?? ''
    if (!code.withTicket || members.get(userid)?.hidden) return ok({ userid })
    const ticket = token(64)
    tickets.set(ticket, { userid, until: vendor.now() + TICKET_LIFE_MS })
    return ok({ userid, user_ticket: ticket })
  }

  function getUserDetail({ body }: Call): Answer {
    let ticket: { userid: string; until: number } | undefined
    try {
      ticket = tickets.get(JSON.parse(body).user_ticket)
    } catch {
      return errcode(40058)
    }
    const member = ticket && ticket.until > vendor.now() ? members.get(ticket.userid) : undefined
    if (!member) return errcode(40058)
    const { userid, mobile = '', email = '', biz_mail = '', avatar = '' } = member
    return ok({ userid, gender: '1', avatar, qr_code: '', mobile, email, biz_mail, address: '' })
  }

  function getUser({ query }: Call): Answer {
    const member = members.get(query.get('userid') ?? '')
    if (!member) return errcode(60111)
    if (member.hidden) return errcode(60011)
    const { userid, name, department, status = 1, mobile = '', email = '', biz_mail = '', avatar = '' } = member
    const few = {
      userid,
      name,
      department,
      status,
      enable: status === 2 ? 0 : 1,
      isleader: 0,
      position: '',
      main_department: department[0],
    }
    return ok(company.fewFields === false ? { ...few, gender: '1', avatar, mobile, email, biz_mail } : few)
  }

  const departments = () => company.departments ?? [{ id: 1, name: '公司', parentid: 0 }]
  /** A department and all below it. */
  const below = (id: number): number[] => [id, ...departments().flatMap((one) => (one.parentid === id ? below(one.id) : []))]

  function listDepartments({ query }: Call): Answer {
    const id = query.get('id')
    if (id && !departments().some((one) => one.id === Number(id))) return errcode(60011)
    const wanted = id ? below(Number(id)) : departments().map((one) => one.id)
    return ok({ department: departments().filter((one) => wanted.includes(one.id)) })
  }

  function listMembers(query: URLSearchParams, whole: boolean): Answer {
    const id = Number(query.get('department_id'))
    if (!departments().some((one) => one.id === id)) return errcode(60011)
    const wanted = query.get('fetch_child') === '1' ? below(id) : [id]
    const found = [...members.values()].filter((member) => !member.hidden && member.department.some((one) => wanted.includes(one)))
    const shown = found.map(({ userid, name, department, status = 1, email = '', biz_mail = '' }) => {
      const few = { userid, name, department }
      if (!whole) return few
      return company.fewFields === false ? { ...few, status, email, biz_mail } : { ...few, status }
    })
    return ok({ userlist: shown })
  }

  const calls: Record<string, { method: 'GET' | 'POST'; answer: (call: Call) => Answer; open?: true }> = {
    '/cgi-bin/gettoken': { method: 'GET', answer: getToken, open: true },
    '/cgi-bin/auth/getuserinfo': { method: 'GET', answer: getUserInfo },
    '/cgi-bin/auth/getuserdetail': { method: 'POST', answer: getUserDetail },
    '/cgi-bin/user/get': { method: 'GET', answer: getUser },
    '/cgi-bin/department/list': { method: 'GET', answer: listDepartments },
    '/cgi-bin/user/simplelist': { method: 'GET', answer: ({ query }) => listMembers(query, false) },
    '/cgi-bin/user/list': { method: 'GET', answer: ({ query }) => listMembers(query, true) },
  }

  function api(call: Call): Answer {
    const known = calls[call.path]
    if (!known) return page(404, '404 Not Found')
    const minute = `${call.path} ${Math.floor(vendor.now() / 60_000)}`
    const used = (perMinute.get(minute) ?? 0) + 1
    perMinute.set(minute, used)
    if (used > (company.perMinute ?? 10_000)) return errcode(45009)
    if (call.method !== known.method) return errcode(known.method === 'GET' ? 43001 : 43002)
    if (known.open) return known.answer(call)
    const refused = tokenError(call.query.get('access_token'))
    if (refused !== undefined) return errcode(refused)
    // The list of addresses is of the calls, not of the token.
    if (company.trustedIps && !company.trustedIps.includes('127.0.0.1')) return errcode(60020)
    return known.answer(call)
  }

  const vendor = await startVendor({
    login: (call) => (call.path === '/wwlogin/sso/login' ? ssoPage(call) : page(404, '404 Not Found')),
    open: (call) =>
      call.path === '/wwopen/sso/qrConnect' ? answerPage(call.query, isAgent(call.query), false) : page(404, '404 Not Found'),
    weixin: (call) => (call.path === '/connect/oauth2/authorize' ? inAppPage(call) : page(404, '404 Not Found')),
    api,
  })

  /** What the vendor sends with a text to the callback: query and body as they go over the wire. `receiver`, `key` and `at` are for forgers. */
  function pushed(text: string, { receiver = company.corpId, at = vendor.now() } = {}) {
    const { token: secret, aesKey } = company.callback ?? { token: '', aesKey: '' }
    const encrypted = encrypt(text, aesKey, receiver)
    const [timestamp, nonce] = [String(Math.floor(at / 1000)), String(randomBytes(4).readUInt32BE())]
    const query = { msg_signature: signature(secret, timestamp, nonce, encrypted), timestamp, nonce }
    const envelope = `<xml><ToUserName><![CDATA[${company.corpId}]]></ToUserName><Encrypt><![CDATA[${encrypted}]]></Encrypt><AgentID><![CDATA[]]></AgentID></xml>`
    return { query, encrypted, body: envelope, contentType: 'text/xml' }
  }

  /** An event of the directory, such as `create_user`, with what it says of the member. */
  function pushedEvent(
    change: 'create_user' | 'update_user' | 'delete_user',
    fields: Record<string, string>,
    forged?: Parameters<typeof pushed>[1],
  ) {
    const told = Object.entries(fields).map(([name, value]) =>
      /^\d+$/.test(value) ? `<${name}>${value}</${name}>` : `<${name}><![CDATA[${value}]]></${name}>`,
    )
    const createTime = Math.floor(vendor.now() / 1000)
    return pushed(
      `<xml><ToUserName><![CDATA[${company.corpId}]]></ToUserName><FromUserName><![CDATA[sys]]></FromUserName><CreateTime>${createTime}</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[change_contact]]></Event><ChangeType><![CDATA[${change}]]></ChangeType>${told.join('')}</xml>`,
      forged,
    )
  }

  return {
    ...vendor,
    company,
    members,
    door,
    pushed,
    pushedEvent,
    signature,
    /** Takes the access token back before its time, as the vendor says it may. */
    revokeToken: () => {
      current = undefined
    },
  }
}
