import type { ServerContext } from '@stoa/sdk/server'
import type { Identity, RedirectMethod } from '../../accounts/shared/api.ts'
import { apiOf, isComplete, settingsOf } from './settings.ts'

const API_VERSION = '2022-11-28'
const USER_AGENT = 'Stoa'

interface GithubUser {
  id: number
  login: string
  name: string | null
}
interface GithubEmail {
  email: string
  primary: boolean
  verified: boolean
}

const isUser = (value: unknown): value is GithubUser => {
  const { id, login } = (value ?? {}) as Partial<GithubUser>
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && typeof login === 'string'
}

/** A login by GitHub or an Enterprise Server: OAuth 2 with PKCE, since GitHub gives no ID token. */
export function createMethod(ctx: ServerContext): RedirectMethod {
  const settings = () => settingsOf(ctx.plugin.settings.get())

  /** @throws unless the answer is a success and JSON; neither a token nor a code is in the error */
  async function json(url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<unknown> {
    const headers = { accept: 'application/json', 'user-agent': USER_AGENT, ...options.headers }
    const reply = await ctx.host.fetch(url, { ...options, headers })
    if (!reply.ok) throw new Error(`${new URL(url).pathname} answered ${reply.status}`)
    return reply.json().catch(() => {
      throw new Error(`${new URL(url).pathname} answered no JSON`)
    })
  }

  /** Errors come with status 200. */
  async function tokenFor(fields: Record<string, string>): Promise<string> {
    const { base_url, client_id, client_secret } = settings()
    const answer = (await json(`${base_url}/login/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id, client_secret, ...fields }).toString(),
    })) as { access_token?: unknown; token_type?: unknown; error?: unknown } | null
    const { access_token, token_type, error } = answer ?? {}
    if (error !== undefined) throw new Error(`no token: ${String(error).slice(0, 100)}`)
    if (typeof access_token !== 'string' || access_token === '' || String(token_type).toLowerCase() !== 'bearer')
      throw new Error('no token')
    return access_token
  }

  return {
    shape: 'redirect',
    id: 'connector-github',
    get name() {
      return settings().label || 'GitHub'
    },
    usable: () => isComplete(settings()),

    async start({ state, codeChallenge, callback }) {
      const { base_url, client_id, required_org } = settings()
      const query = {
        client_id,
        redirect_uri: callback,
        scope: required_org === '' ? 'user:email' : 'user:email read:org',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }
      return `${base_url}/login/oauth/authorize?${new URLSearchParams(query)}`
    },

    async finish({ codeVerifier, callback }, came) {
      const code = new URL(came).searchParams.get('code') ?? ''
      if (code === '') throw new Error('no code')
      const token = await tokenFor({ code, redirect_uri: callback, code_verifier: codeVerifier })
      const { base_url, required_org } = settings()
      const ask = (path: string) =>
        json(apiOf(base_url) + path, {
          headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}`, 'x-github-api-version': API_VERSION },
        })
      const user = await ask('/user')
      if (!isUser(user)) throw new Error('no user')
      if (required_org !== '') {
        const { state } = (await ask(`/user/memberships/orgs/${encodeURIComponent(required_org)}`)) as { state?: unknown }
        if (state !== 'active') throw new Error('no member of the organisation')
      }
      return identityOf(user, await ask('/user/emails'))
    },
  }
}

/** Login names are given away and taken by others; the number stays. Of the addresses the primary one counts, where GitHub has proven it. */
function identityOf({ id, login, name }: GithubUser, emails: unknown): Identity {
  const primary = Array.isArray(emails) ? (emails as GithubEmail[]).find((one) => one?.primary === true) : undefined
  const isProven = primary?.verified === true && typeof primary.email === 'string'
  return {
    externalId: String(id),
    ...(isProven && { emails: [{ address: primary.email, verified: true }] }),
    displayName: typeof name === 'string' ? name : '',
    username: login,
  }
}
