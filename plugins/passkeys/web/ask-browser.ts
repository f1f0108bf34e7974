import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

/** Key of the text that says why there is no answer. */
export class NoAnswer extends Error {
  readonly key: string
  constructor(key: string) {
    super(key)
    this.key = key
  }
}

async function asking<T>(ask: (library: typeof import('@simplewebauthn/browser')) => Promise<T>): Promise<T> {
  const library = await import('@simplewebauthn/browser')
  if (!library.browserSupportsWebAuthn()) throw new NoAnswer('unsupported')
  try {
    return await ask(library)
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string }
    if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') throw new NoAnswer('exists')
    if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' || name === 'SecurityError') throw new NoAnswer('wrong_place')
    throw new NoAnswer('cancelled')
  }
}

/** Has the device sign what the server asks. @returns what it says, as the server takes it @throws {@link NoAnswer} */
export const sign = (options: unknown): Promise<Record<string, string>> =>
  asking(async ({ startAuthentication }) => ({
    response: JSON.stringify(await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })),
  }))

/** Has the device make a passkey. @throws {@link NoAnswer} */
export const register = (options: unknown): Promise<string> =>
  asking(async ({ startRegistration }) =>
    JSON.stringify(await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })),
  )
