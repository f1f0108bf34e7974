import { createHash } from 'node:crypto'
import type { Answer, Call } from './vendor.ts'
import { json, page, same, sendTo, startVendor, token, withQuery } from './vendor.ts'

export interface GitHubPerson {
  /** Stays, whatever the login becomes. */
  id: number
  login: string
  name?: string | null
  avatarUrl?: string
  emails: { email: string; primary?: boolean; verified?: boolean }[]
  /** Organisations by login; a pending one is an invitation nobody has answered. */
  organizations?: Record<string, 'active' | 'pending'>
}

export interface GitHubApp {
  clientId: string
  clientSecret: string
  /** What is registered with the app. An address of ours has to be below it. */
  callback: string
  people: GitHubPerson[]
  /** Calls of the API a token has in an hour. */
  hourlyLimit?: number
}

interface Code {
  person: GitHubPerson
  redirect: string | undefined
  challenge: string | undefined
  scopes: string[]
  until: number
  /** Tokens given for it: taken back when it comes a second time. */
  tokens: string[]
}

interface Access {
  person: GitHubPerson
  scopes: string[]
  resetsAt: number
  used: number
}

const CODE_LIFE_MS = 10 * 60_000
const HOUR_MS = 3_600_000
const knownScopes = ['user', 'user:email', 'read:user', 'read:org', 'repo', 'gist']
const docs = 'https://docs.github.com/rest'
const errors = {
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
  bad_verification_code: 'The code passed is incorrect or expired.',
  unverified_user_email: 'The user must have a verified primary email.',
}

/** The callback rule as published: same host and port (any port of the loopback address), and a path at or below the registered one. */
function isBelow(address: string, registered: string): boolean {
  if (!URL.canParse(address)) return false
  const [asked, own] = [new URL(address), new URL(registered)]
  const isLoopback = own.hostname === '127.0.0.1' || own.hostname === '[::1]'
  const samePlace = asked.protocol === own.protocol && asked.hostname === own.hostname && (isLoopback || asked.port === own.port)
  const folder = own.pathname.endsWith('/') ? own.pathname : `${own.pathname}/`
  return samePlace && (asked.pathname === own.pathname || asked.pathname.startsWith(folder))
}

/** The form of an answer of the token address is asked for by `Accept`; a form where nobody asks. Errors come with 200 as well. */
function inAskedForm(call: Call, values: Record<string, string>): Answer {
  const accept = call.headers.accept ?? ''
  if (/application\/(vnd\.github\.[^,]*)?json/.test(accept)) return json(200, values)
  if (accept.includes('application/xml')) {
    const inner = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`)
    return { status: 200, headers: { 'content-type': 'application/xml; charset=utf-8' }, body: `<OAuth>${inner.join('')}</OAuth>` }
  }
  const body = String(new URLSearchParams(values))
  return { status: 200, headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body }
}

function sentValues(call: Call): Map<string, string> {
  if (!call.headers['content-type']?.includes('json')) return new Map(new URLSearchParams(call.body))
  try {
    return new Map(Object.entries(JSON.parse(call.body)).map(([name, value]) => [name, String(value)]))
  } catch {
    return new Map()
  }
}

/**
 * GitHub's log-in for OAuth apps, from its published pages: "Authorizing OAuth apps", the two pages of errors, PKCE's announcement of July 2025, and
 * of the REST API users, addresses and memberships. `urls.web` is a GitHub Enterprise Server, whose API is below `/api/v3`; `urls.api` is the host of
 * its own that github.com has for it.
 */
export async function startGitHub(app: GitHubApp) {
  const codes = new Map<string, Code>()
  const access = new Map<string, Access>()
  /** Who sits before the vendor's page, what they press, and scopes they take out of what was asked for, as the page of scopes says they may. */
  const door: { login: string; answer: 'agree' | 'deny'; withholds: string[] } = {
    login: app.people[0]?.login ?? '',
    answer: 'agree',
    withholds: [],
  }
  const people = new Map(app.people.map((person) => [person.login, person]))

  function authorize({ query }: Call): Answer {
    if (query.get('client_id') !== app.clientId) return page(404, 'Page not found')
    const state = query.get('state') ?? undefined
    const refuse = (error: string, error_description: string, to: string) =>
      sendTo(withQuery(to, { error, error_description, error_uri: `${docs}/errors`, state }))
    const asked = query.get('redirect_uri') ?? undefined
    if (asked && !isBelow(asked, app.callback)) return refuse('redirect_uri_mismatch', errors.redirect_uri_mismatch, app.callback)
    const redirect = asked ?? app.callback
    const challenge = query.get('code_challenge') ?? undefined
    const isS256 = query.get('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge ?? '')
    if (challenge !== undefined && !isS256) return refuse('invalid_request', 'Only the S256 code challenge method is accepted.', redirect)
    const person = people.get(door.login)
    if (door.answer === 'deny' || !person) return refuse('access_denied', 'The user has denied your application access.', redirect)
    const code = token(10)
    const scopes = (query.get('scope') ?? '')
      .split(/[\s,]+/)
      .filter((scope) => knownScopes.includes(scope) && !door.withholds.includes(scope))
    codes.set(code, { person, redirect: asked, challenge, scopes, until: vendor.now() + CODE_LIFE_MS, tokens: [] })
    return sendTo(withQuery(redirect, { code, state }))
  }

  function exchange(call: Call): Answer {
    if (call.method !== 'POST') return page(404, 'Page not found')
    const sent = sentValues(call)
    const refuse = (error: keyof typeof errors) =>
      inAskedForm(call, {
        error,
        error_description: errors[error],
        error_uri: `/troubleshooting-oauth-app-access-token-request-errors/#${error}`,
      })
    const isApp = same(sent.get('client_id') ?? '', app.clientId) && same(sent.get('client_secret') ?? '', app.clientSecret)
    if (!isApp) return refuse('incorrect_client_credentials')
    const code = codes.get(sent.get('code') ?? '')
    if (!code || code.until < vendor.now()) return refuse('bad_verification_code')
    if (code.tokens.length > 0) {
      for (const given of code.tokens) access.delete(given)
      return refuse('bad_verification_code')
    }
    const redirect = sent.get('redirect_uri')
    if (redirect !== undefined && redirect !== (code.redirect ?? app.callback)) return refuse('redirect_uri_mismatch')
    if (code.challenge !== undefined) {
      const challenge = createHash('sha256')
        .update(sent.get('code_verifier') ?? '')
        .digest('base64url')
      if (!same(challenge, code.challenge)) return refuse('bad_verification_code')
    }
    const given = `gho_${token(18)}`
    code.tokens.push(given)
    access.set(given, { person: code.person, scopes: code.scopes, resetsAt: vendor.now() + HOUR_MS, used: 0 })
    return inAskedForm(call, { access_token: given, scope: code.scopes.join(','), token_type: 'bearer' })
  }

  /** `/applications/{client_id}/token`, by which an app looks at its tokens and takes them back: the app itself signs in, by Basic. */
  function ownTokens(call: Call): Answer {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
    if (!same(call.headers.authorization ?? '', basic))
      return json(401, { message: 'Bad credentials', documentation_url: docs, status: '401' })
    const given = sentValues(call).get('access_token') ?? ''
    const found = access.get(given)
    if (!found) return json(call.method === 'DELETE' ? 422 : 404, { message: 'Not Found', documentation_url: docs })
    if (call.method === 'DELETE') {
      access.delete(given)
      return { status: 204 }
    }
    return json(200, { token: given, scopes: found.scopes, user: { id: found.person.id, login: found.person.login } })
  }

  function api(call: Call, path: string): Answer {
    if (!call.headers['user-agent']) {
      return {
        status: 403,
        headers: { 'content-type': 'text/plain' },
        body: 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
      }
    }
    const version = call.headers['x-github-api-version']
    if (version !== undefined && version !== '2022-11-28') {
      return json(400, { message: `"${version}" is not a supported version of the API`, documentation_url: docs })
    }
    if (path === `/applications/${app.clientId}/token`) return ownTokens(call)
    const [, given] = /^(?:Bearer|token) (\S+)$/i.exec(call.headers.authorization ?? '') ?? []
    if (!given) return json(401, { message: 'Requires authentication', documentation_url: docs, status: '401' })
    const found = access.get(given)
    if (!found) return json(401, { message: 'Bad credentials', documentation_url: docs, status: '401' })
    if (found.resetsAt <= vendor.now()) Object.assign(found, { resetsAt: vendor.now() + HOUR_MS, used: 0 })
    found.used += 1
    const limit = app.hourlyLimit ?? 5_000
    const headers = {
      'x-oauth-scopes': found.scopes.join(', '),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - found.used)),
      'x-ratelimit-reset': String(Math.ceil(found.resetsAt / 1000)),
    }
    if (found.used > limit) {
      return json(403, { message: `API rate limit exceeded for user ID ${found.person.id}.`, documentation_url: docs }, headers)
    }
    if (call.method !== 'GET') return json(404, { message: 'Not Found', documentation_url: docs }, headers)
    return read(call, path, found, headers)
  }

  function read(call: Call, path: string, { person, scopes }: Access, headers: Record<string, string>): Answer {
    const has = (...any: string[]) => any.some((scope) => scopes.includes(scope))
    const missing = json(404, { message: 'Not Found', documentation_url: docs, status: '404' }, headers)
    if (path === '/user') {
      const { id, login, name = null, avatarUrl = '' } = person
      return json(200, { login, id, node_id: token(8), avatar_url: avatarUrl, type: 'User', name, email: null }, headers)
    }
    if (path === '/user/emails') {
      if (!has('user', 'user:email')) return missing
      const size = Math.min(Number(call.query.get('per_page') ?? 30), 100)
      const start = (Number(call.query.get('page') ?? 1) - 1) * size
      const all = person.emails.map(({ email, primary = false, verified = false }) => ({
        email,
        primary,
        verified,
        visibility: primary ? 'private' : null,
      }))
      return json(200, all.slice(start, start + size), headers)
    }
    const active = Object.entries(person.organizations ?? {})
    if (path === '/user/orgs') {
      if (!has('user', 'read:org'))
        return json(403, { message: 'You need at least read:org scope or user scope to list your organizations.' }, headers)
      return json(
        200,
        active.filter(([, state]) => state === 'active').map(([login]) => ({ login })),
        headers,
      )
    }
    const [, wanted] = /^\/user\/memberships\/orgs\/([^/]+)$/.exec(path) ?? []
    // Names of organisations are compared without case.
    const membership = active.find(([login]) => login.toLowerCase() === decodeURIComponent(wanted ?? '').toLowerCase())
    if (!wanted || !has('read:org') || !membership) return missing
    return json(
      200,
      { state: membership[1], role: 'member', organization: { login: membership[0] }, user: { login: person.login } },
      headers,
    )
  }

  const vendor = await startVendor({
    web: (call) => {
      if (call.path === '/login/oauth/authorize') return call.method === 'GET' ? authorize(call) : page(404, 'Page not found')
      if (call.path === '/login/oauth/access_token') return exchange(call)
      return call.path.startsWith('/api/v3/') ? api(call, call.path.slice('/api/v3'.length)) : page(404, 'Page not found')
    },
    api: (call) => api(call, call.path),
  })
  return { ...vendor, app, people, door, /** As a person does in their settings. */ revokeAll: () => access.clear() }
}
