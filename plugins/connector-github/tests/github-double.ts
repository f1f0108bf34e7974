import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Account {
  id: number
  login: string
  name: string | null
  emails: { email: string; primary: boolean; verified: boolean; visibility: string | null }[]
  orgs?: Record<string, 'active' | 'pending'>
}
interface Grant {
  account: Account
  redirect: string
  challenge: string
  scopes: string[]
  expires: number
}

const CODE_MS = 600_000
const same = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** GitHub's OAuth app flow and REST API, as its documentation describes them, for one registered app. */
export async function startGithub(app: { id: string; secret: string; callback: string }) {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()
  const tokenOfCode = new Map<string, string>()
  const transcript: string[] = []
  let broken: 'no' | 'html' | 'limit' = 'no'
  let now = () => Date.now()

  const send = (reply: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
    reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
  const refuse = (reply: ServerResponse, error: string) => send(reply, 200, { error, error_description: `The request failed: ${error}` })

  async function exchange(request: IncomingMessage, reply: ServerResponse) {
    let body = ''
    for await (const part of request) body += part
    const given = new URLSearchParams(body)
    const text = (name: string) => given.get(name) ?? ''
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded' || request.headers.accept !== 'application/json')
      return send(reply, 406, {})
    if (!same(text('client_id'), app.id) || !same(text('client_secret'), app.secret)) return refuse(reply, 'incorrect_client_credentials')
    const code = text('code')
    const grant = codes.get(code)
    codes.delete(code)
    if (!grant) {
      // A code that comes twice was stolen: what it gave is taken back.
      tokens.delete(tokenOfCode.get(code) ?? '')
      return refuse(reply, 'bad_verification_code')
    }
    const isBound = same(createHash('sha256').update(text('code_verifier')).digest('base64url'), grant.challenge)
    if (grant.expires < now() || !isBound) return refuse(reply, 'bad_verification_code')
    if (text('redirect_uri') !== grant.redirect) return refuse(reply, 'redirect_uri_mismatch')
    const token = `gho_${randomBytes(18).toString('hex')}`
    tokens.set(token, grant)
    tokenOfCode.set(code, token)
    return send(reply, 200, { access_token: token, scope: grant.scopes.join(','), token_type: 'bearer' })
  }

  function answerApi(path: string, request: IncomingMessage, reply: ServerResponse) {
    if (!request.headers['user-agent']) return send(reply, 403, { message: 'Request forbidden by administrative rules.' })
    if (broken === 'limit') return send(reply, 403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0' })
    const grant = tokens.get(/^Bearer (gho_\w+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
    if (!grant) return send(reply, 401, { message: 'Bad credentials' })
    if (request.headers['x-github-api-version'] !== '2022-11-28') return send(reply, 400, { message: 'Unsupported version' })
    const { account, scopes } = grant
    if (path === '/user') return send(reply, 200, { id: account.id, login: account.login, name: account.name, email: null, type: 'User' })
    if (path === '/user/emails' && scopes.includes('user:email')) return send(reply, 200, account.emails)
    const org = /^\/user\/memberships\/orgs\/([^/]+)$/.exec(path)?.[1]
    const state = org !== undefined && scopes.includes('read:org') ? account.orgs?.[org] : undefined
    return state ? send(reply, 200, { state, role: 'member' }) : send(reply, 404, { message: 'Not Found' })
  }

  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://double')
    transcript.push(`${request.method} ${request.url}`)
    if (broken === 'html') return void reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Unicorn!</title>')
    if (request.method === 'POST' && pathname === '/login/oauth/access_token') return void exchange(request, reply)
    if (request.method === 'GET' && pathname.startsWith('/api/v3/')) return void answerApi(pathname.slice('/api/v3'.length), request, reply)
    return void send(reply, 404, { message: 'Not Found' })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transcript,
    breakIt: (how: typeof broken) => {
      broken = how
    },
    /** Moves its clock on. */
    later: (ms: number) => {
      now = () => Date.now() + ms
    },
    /** Somebody presses "Authorize" on the page behind the address. @returns the address they are sent to */
    authorize(address: string, account: Account): string {
      const asked = new URL(address)
      const text = (name: string) => asked.searchParams.get(name) ?? ''
      if (asked.pathname !== '/login/oauth/authorize' || text('client_id') !== app.id) throw new Error('404')
      if (text('redirect_uri') !== app.callback) throw new Error('The redirect_uri is not associated with this application.')
      if (text('code_challenge_method') !== 'S256' || text('code_challenge').length !== 43) throw new Error('invalid code challenge')
      const code = randomBytes(10).toString('hex')
      codes.set(code, {
        account,
        redirect: app.callback,
        challenge: text('code_challenge'),
        scopes: text('scope').split(' '),
        expires: now() + CODE_MS,
      })
      return `${app.callback}?${new URLSearchParams({ code, state: text('state') })}`
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
