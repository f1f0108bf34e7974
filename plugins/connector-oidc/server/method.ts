import type { IDToken, UserInfoResponse } from 'openid-client'
import { authorizationCodeGrant, buildAuthorizationUrl, fetchUserInfo } from 'openid-client'
import type { Identity, RedirectMethod } from '../../accounts/shared/api.ts'
import type { Discovery } from './discovery.ts'
import type { Place, Provider } from './settings.ts'
import { isFilledIn } from './settings.ts'

const SCOPE = 'openid email profile'

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#f78c40" d="m14.54.89-3.63 1.77v20.45l3.63-1.71z"/><path fill="#8a8d93" d="M10.91 20.83c-4.15-.52-7.27-2.78-7.27-5.5 0-2.58 2.8-4.75 6.63-5.41V7.61C4.42 8.32 0 11.5 0 15.33c0 3.96 4.74 7.24 10.91 7.78zm4.27-13.22v2.31c1.43.25 2.71.7 3.76 1.31l-1.97 1.11L24 13.87l-.5-5.21-1.87 1.06c-1.74-1.06-3.96-1.81-6.45-2.11z"/></svg>',
)}`

/**
 * A login by a provider of OpenID Connect. Each place has an identifier of its own, and with it a callback and logins of its own: what one provider sends
 * is taken to no other, nor is anybody known at two of them by the same login.
 */
export function methodOf(place: Place, provider: Provider, { configurationOf }: Discovery): RedirectMethod {
  return {
    shape: 'redirect',
    id: place === '' ? 'connector-oidc' : `connector-oidc.${place}`,
    name: provider.label || 'OpenID Connect',
    icon: ICON,
    usable: () => isFilledIn(provider),

    async start({ state, nonce, codeChallenge, callback, language }) {
      const to = buildAuthorizationUrl(await configurationOf(provider), {
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
      const known = await configurationOf(provider)
      const tokens = await authorizationCodeGrant(known, new URL(came), checks)
      const claims = tokens.claims()
      if (!claims) throw new Error('no claims')
      // Many providers tell addresses and names there only; `sub` is compared.
      const isShort = claims.email === undefined && known.serverMetadata().userinfo_endpoint !== undefined
      const more = isShort ? await fetchUserInfo(known, tokens.access_token, claims.sub) : {}
      return identityOf({ ...claims, ...more, iss: claims.iss, sub: claims.sub })
    },
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

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
