import type { OutgoingRequest, ServerContext } from '@stoa/sdk/server'
import type { SignInMethod } from '../../accounts/shared/api.ts'
import { outsideErrors } from '../../accounts/shared/api.ts'
import type { Settings } from './settings.ts'
import { isFilledIn } from './settings.ts'

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="20" height="20" x="2" y="2" rx="5" fill="#1677ff"/><path fill="#fff" d="m13.5 5-6 8H11l-1.5 6 7-8.5H13z"/></svg>',
)}`

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** A login by DingTalk: it shows a QR code and sends the browser back with what was scanned. */
export function createMethod(ctx: ServerContext, settings: () => Settings): SignInMethod {
  async function ask(path: string, asked: OutgoingRequest): Promise<Record<string, unknown>> {
    const response = await ctx.host.fetch(new URL(path, settings().api_url).href, asked)
    const reply: Record<string, unknown> | null = await response.json().catch(() => null)
    if (!response.ok || !reply) throw new Error(`DingTalk says ${response.status} ${text(reply?.code).slice(0, 100)}`)
    return reply
  }

  /** Token of whoever has scanned. @throws where they are of another company than the one that is let in */
  async function tokenFor(code: string): Promise<string> {
    const { client_id: clientId, client_secret: clientSecret, corp_id } = settings()
    const { accessToken, corpId } = await ask('/v1.0/oauth2/userAccessToken', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret, code, grantType: 'authorization_code' }),
    })
    if (corp_id !== '' && text(corpId) !== corp_id) throw new Error('of another company')
    return text(accessToken)
  }

  return {
    shape: 'redirect',
    id: 'connector-dingtalk',
    icon: ICON,
    get name() {
      return settings().label || 'DingTalk'
    },
    usable: () => isFilledIn(settings()),

    async start({ state, callback }) {
      const { client_id, corp_id, login_url } = settings()
      const url = new URL('/oauth2/auth', login_url)
      const scope = corp_id === '' ? 'openid' : 'openid corpid'
      url.search = new URLSearchParams({
        redirect_uri: callback,
        response_type: 'code',
        client_id,
        scope,
        state,
        prompt: 'consent',
      }).toString()
      return url.href
    },

    async finish(_, came) {
      const { searchParams } = new URL(came)
      const code = searchParams.get('authCode') ?? searchParams.get('code')
      if (!code) throw outsideErrors.sign_in_denied()
      const headers = { 'x-acs-dingtalk-access-token': await tokenFor(code) }
      const { unionId, nick, email } = await ask('/v1.0/contact/users/me', { headers })
      // `openId` is another one for each app, and would make strangers of everybody where the owner registers a new one.
      if (text(unionId) === '') throw new Error('DingTalk names nobody')
      return {
        externalId: text(unionId),
        ...(text(email) !== '' && { emails: [{ address: text(email), verified: false }] }),
        displayName: text(nick),
      }
    },
  }
}
