import type { ServerContext } from '@stoa/sdk/server'
import type { Configuration, CustomFetchOptions, IDToken, UserInfoResponse } from 'openid-client'
import { allowInsecureRequests, authorizationCodeGrant, buildAuthorizationUrl, customFetch, discovery, fetchUserInfo } from 'openid-client'
import type { Identity, RedirectMethod } from '../../accounts/shared/api.ts'

interface Settings {
  label: string
  issuer: string
  client_id: string
  client_secret: string
}

/** What the issuer says of itself is asked again after so long. */
const KNOWN_SECONDS = 600
const SCOPE = 'openid email profile'

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Plain http is for an issuer on the same machine, which the operator has to allow. */
const isIssuer = (issuer: string): boolean =>
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s?#]+$/.test(issuer) && URL.canParse(issuer)

/** A login by any provider of OpenID Connect. */
export function createMethod(
  ctx: ServerContext,
): RedirectMethod & { check(values: Record<string, unknown>): Promise<Record<string, string> | undefined> } {
  let known: { of: string; until: number; configuration: Promise<Configuration> } | undefined

  const settings = (): Settings => {
    const { label, issuer, client_id, client_secret } = ctx.plugin.settings.get()
    return { label: text(label), issuer: text(issuer), client_id: text(client_id), client_secret: text(client_secret) }
  }

  const send = (url: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> =>
    ctx.host.fetch(url, {
      method,
      headers,
      ...(body !== null && body !== undefined && { body: body instanceof URLSearchParams ? body.toString() : String(body) }),
      ...(signal && { signal }),
    })

  const discover = ({ issuer, client_id, client_secret }: Settings): Promise<Configuration> =>
    discovery(new URL(issuer), client_id, client_secret || undefined, undefined, {
      [customFetch]: send,
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    })

  function configuration(): Promise<Configuration> {
    const now = settings()
    const of = JSON.stringify(now)
    if (known?.of === of && known.until > ctx.now()) return known.configuration
    const fresh = { of, until: ctx.now() + KNOWN_SECONDS, configuration: discover(now) }
    fresh.configuration.catch(() => {
      if (known === fresh) known = undefined
    })
    known = fresh
    return fresh.configuration
  }

  return {
    shape: 'redirect',
    id: 'connector-oidc',
    get name() {
      return settings().label || 'OpenID Connect'
    },
    usable: () => isIssuer(settings().issuer) && settings().client_id !== '',

    async start({ state, nonce, codeChallenge, callback, language }) {
      const to = buildAuthorizationUrl(await configuration(), {
        redirect_uri: callback,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ui_locales: language.replace('_', '-'),
      })
      return to.href
    },

    async finish({ state, nonce, codeVerifier }, came) {
      const checks = { pkceCodeVerifier: codeVerifier, expectedNonce: nonce, expectedState: state, idTokenExpected: true }
      const provider = await configuration()
      const tokens = await authorizationCodeGrant(provider, new URL(came), checks)
      const claims = tokens.claims()
      if (!claims) throw new Error('no claims')
      // Many providers tell addresses and names there only; `sub` is compared.
      const isShort = claims.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
      const more = isShort ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
      return identityOf({ ...claims, ...more, iss: claims.iss, sub: claims.sub })
    },

    /** What does not work does not replace what does. */
    async check(values): Promise<Record<string, string> | undefined> {
      const given: Settings = {
        label: text(values.label),
        issuer: text(values.issuer),
        client_id: text(values.client_id),
        client_secret: text(values.client_secret),
      }
      if (given.issuer === '') return undefined
      if (!isIssuer(given.issuer)) return { issuer: 'connector_oidc.error.issuer' }
      if (given.client_id === '') return { client_id: 'connector_oidc.error.client_id' }
      try {
        await discover(given)
      } catch (error) {
        ctx.log.warn('the issuer does not answer as one', { issuer: given.issuer, error: (error as Error).message })
        return { issuer: 'connector_oidc.error.unreachable' }
      }
      return undefined
    },
  }
}

/** An address counts as verified only where the issuer says so. Another issuer's `sub` is somebody else's. */
function identityOf({ iss, sub, email, email_verified, name, preferred_username }: IDToken & Partial<UserInfoResponse>): Identity {
  const address = text(email)
  return {
    externalId: `${iss} ${sub}`,
    ...(address !== '' && { emails: [{ address, verified: email_verified === true }] }),
    displayName: text(name),
    username: text(preferred_username),
  }
}
