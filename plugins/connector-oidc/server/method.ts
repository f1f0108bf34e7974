import type { IDToken, UserInfoResponse } from 'openid-client'
import { authorizationCodeGrant, buildAuthorizationUrl, fetchUserInfo } from 'openid-client'
import type { Identity, RedirectMethod } from '../../accounts/shared/api.ts'
import type { Discovery } from './discovery.ts'
import type { Place, Provider } from './settings.ts'
import { isFilledIn } from './settings.ts'

const SCOPE = 'openid email profile'

/**
 * A login by a provider of OpenID Connect. Each place has an identifier of its own, and with it a callback and logins of its own: what one provider sends
 * is taken to no other, nor is anybody known at two of them by the same login.
 */
export function methodOf(place: Place, provider: Provider, { configurationOf }: Discovery): RedirectMethod {
  return {
    shape: 'redirect',
    id: place === '' ? 'connector-oidc' : `connector-oidc.${place}`,
    name: provider.label || 'OpenID Connect',
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
