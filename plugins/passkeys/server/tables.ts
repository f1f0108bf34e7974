import type { Generated } from 'kysely'

export interface Tables {
  passkeys__credential: {
    id: Generated<number>
    person_id: number
    /** Of the authenticator; base64url. */
    credential_id: string
    /** COSE key; base64url. */
    public_key: string
    /** Of uses, as the authenticator says; 0 for those that keep none. */
    counter: number
    /** JSON: ways to reach it, for the browser. */
    transports: Generated<string>
    name: string
    created_at: number
    last_used_at: Generated<number>
  }
  passkeys__registration: { person_id: number; challenge: string; expires_at: number }
}
