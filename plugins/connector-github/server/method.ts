import type { ServerContext } from '@stoa/sdk/server'
import type { Identity, RedirectMethod } from '../../accounts/shared/api.ts'
import { apiOf, isComplete, settingsOf } from './settings.ts'

const API_VERSION = '2022-11-28'
const USER_AGENT = 'Stoa'

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1f2328" d="M8 0a8 8 0 0 0-2.53 15.59c.4.07.55-.17.55-.38v-1.49c-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82a7.6 7.6 0 0 1 4 0c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48v2.2c0 .21.15.46.55.38A8 8 0 0 0 8 0z"/></svg>',
)}`

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

/** GitHub answered, and it was no. */
class Refusal extends Error {
  readonly status: number
  constructor(url: string, status: number) {
    super(`${new URL(url).pathname} answered ${status}`)
    this.status = status
  }
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
    if (!reply.ok) throw new Refusal(url, reply.status)
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
    icon: ICON,
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
      return identityOf(user, await emailsBy(ask))
    },
  }
}

/** People may leave out a right that was asked for, and an app may lack it: who they are is known all the same. The most that a page can hold. */
async function emailsBy(ask: (path: string) => Promise<unknown>): Promise<unknown> {
  try {
    return await ask('/user/emails?per_page=100')
  } catch (error) {
    if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return []
    throw error
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
