import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Needed, ServerContext } from '@stoa/sdk/server'
import { uniqueOr } from '@stoa/sdk/server'
import type { Confirmer, confirmation } from '../../accounts/shared/api.ts'
import { PASSKEY, passkeyErrors } from '../shared/api.ts'
import type { Place } from './place.ts'
import { placeOf } from './place.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  confirmation: Needed<typeof confirmation>
}

const MOST_EACH = 20
const REGISTRATION_SECONDS = 300
/** EdDSA, ES256, RS256: what devices have today. */
const ALGORITHMS = [-8, -7, -257]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const transportsOf = (stored: string) => JSON.parse(stored) as AuthenticatorTransport[]

/** Registering, checking and removing passkeys. */
export function createPasskeys({ ctx, confirmation }: Capabilities) {
  const place = (): Place | undefined => placeOf(ctx.site.url)

  /** @throws `error.passkeys.no_address` */
  function requirePlace(): Place {
    const found = place()
    if (!found) throw passkeyErrors.no_address({ url: ctx.site.url })
    return found
  }

  const listOf = (personId: number) =>
    ctx.db.query
      .selectFrom('passkeys__credential')
      .select(['id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at'])
      .where('person_id', '=', personId)
      .orderBy('id')
      .limit(MOST_EACH)
      .execute()

  const described = async (personId: number) =>
    (await listOf(personId)).map(({ credential_id, transports }) => ({ id: credential_id, transports: transportsOf(transports) }))

  /** Whose passkey has signed the challenge; undefined when it is none of ours, wrong, or its counter went back. */
  async function signer(answer: string | undefined, challenge: string): Promise<number | undefined> {
    const here = place()
    const response = parsed(answer ?? '') as AuthenticationResponseJSON | undefined
    if (!here || typeof response?.id !== 'string' || challenge === '') return undefined
    const row = await ctx.db.query
      .selectFrom('passkeys__credential')
      .select(['id', 'person_id', 'credential_id', 'public_key', 'counter', 'transports'])
      .where('credential_id', '=', response.id.slice(0, 2000))
      .executeTakeFirst()
    if (!row) return undefined
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: here.origin,
      expectedRPID: here.host,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.counter,
        transports: transportsOf(row.transports),
      },
    }).catch((error: Error) => void ctx.log.info(`A passkey of person ${row.person_id} was refused: ${error.message}`))
    if (!result?.verified) return undefined
    const { numUpdatedRows } = await ctx.db.write((tx) =>
      tx
        .updateTable('passkeys__credential')
        .set({ counter: result.authenticationInfo.newCounter, last_used_at: ctx.now() })
        .where('id', '=', row.id)
        .where('counter', '=', row.counter)
        .executeTakeFirst(),
    )
    return numUpdatedRows > 0n ? row.person_id : undefined
  }

  const confirmer: Confirmer = {
    id: PASSKEY,
    name: 'passkeys.name',
    fields: [],
    atLogin: 'accepted',
    isSetUp: async (personId) => place() !== undefined && (await listOf(personId)).length > 0,
    async begin(personId) {
      const options = await generateAuthenticationOptions({
        rpID: requirePlace().host,
        userVerification: 'required',
        ...(personId !== null && { allowCredentials: await described(personId) }),
      })
      return { shown: options, kept: options.challenge }
    },
    check: async (personId, { response }, kept) => (await signer(response, kept)) === personId,
    identify: ({ response }, kept) => signer(response, kept),
  }

  return {
    confirmer,
    listOf,
    place,

    async letsIn(people: readonly number[]): Promise<ReadonlySet<number>> {
      if (!place() || people.length === 0) return new Set()
      const rows = await ctx.db.query
        .selectFrom('passkeys__credential')
        .select('person_id')
        .distinct()
        .where('person_id', 'in', [...people])
        .execute()
      return new Set(rows.map((row) => row.person_id))
    },

    /** What the browser is asked for a new one. @throws `error.passkeys.no_address`, `error.passkeys.too_many` */
    async begin(personId: number) {
      const { host } = requirePlace()
      const excludeCredentials = await described(personId)
      if (excludeCredentials.length >= MOST_EACH) throw passkeyErrors.too_many({ id: personId, max: MOST_EACH })
      const login = (await ctx.host.credentials.find(personId))?.login ?? ''
      const options = await generateRegistrationOptions({
        rpID: host,
        rpName: ctx.site.name,
        userID: new Uint8Array(Buffer.from(`person ${personId}`)),
        userName: login,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const row = { challenge: options.challenge, expires_at: ctx.now() + REGISTRATION_SECONDS }
      await ctx.db.write((tx) =>
        tx
          .insertInto('passkeys__registration')
          .values({ person_id: personId, ...row })
          .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
          .execute(),
      )
      return { options }
    },

    /** @param answer of the browser, as JSON @throws `error.passkeys.not_registered`, `error.passkeys.taken` */
    async add(personId: number, name: string, answer: string): Promise<void> {
      const here = requirePlace()
      const begun = await ctx.db.write((tx) =>
        tx.deleteFrom('passkeys__registration').where('person_id', '=', personId).returning(['challenge', 'expires_at']).executeTakeFirst(),
      )
      if (!begun || begun.expires_at <= ctx.now()) throw passkeyErrors.not_registered()
      const result = await verifyRegistrationResponse({
        response: parsed(answer) as RegistrationResponseJSON,
        expectedChallenge: begun.challenge,
        expectedOrigin: here.origin,
        expectedRPID: here.host,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
      }).catch((error: Error) => void ctx.log.info(`A new passkey of person ${personId} was refused: ${error.message}`))
      if (!result?.verified) throw passkeyErrors.not_registered()
      const { credential } = result.registrationInfo
      await ctx.db
        .write(async (tx) => {
          await tx
            .insertInto('passkeys__credential')
            .values({
              person_id: personId,
              credential_id: credential.id,
              public_key: Buffer.from(credential.publicKey).toString('base64url'),
              counter: credential.counter,
              transports: JSON.stringify(credential.transports ?? []),
              name,
              created_at: ctx.now(),
            })
            .execute()
          const { count } = await tx
            .selectFrom('passkeys__credential')
            .select((eb) => eb.fn.countAll<number>().as('count'))
            .where('person_id', '=', personId)
            .executeTakeFirstOrThrow()
          if (Number(count) > MOST_EACH) throw passkeyErrors.too_many({ id: personId, max: MOST_EACH })
        })
        .catch((error: unknown) => {
          throw uniqueOr(error, { 'passkeys__credential.credential_id': () => passkeyErrors.taken() })
        })
    },

    /** @throws `error.passkeys.not_found` */
    async rename(personId: number, id: number, name: string): Promise<void> {
      const { numUpdatedRows } = await ctx.db.write((tx) =>
        tx.updateTable('passkeys__credential').set({ name }).where('id', '=', id).where('person_id', '=', personId).executeTakeFirst(),
      )
      if (numUpdatedRows === 0n) throw passkeyErrors.not_found({ id, person: personId })
    },

    /** @throws `error.passkeys.not_found`, `error.passkeys.last_way` */
    async remove(personId: number, id: number): Promise<void> {
      await ctx.db.write(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('passkeys__credential')
          .where('id', '=', id)
          .where('person_id', '=', personId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw passkeyErrors.not_found({ id, person: personId })
        const rest = await tx.selectFrom('passkeys__credential').select('id').where('person_id', '=', personId).executeTakeFirst()
        if (!rest && !(await confirmation.hasOtherWay(personId, ctx.plugin.slug))) throw passkeyErrors.last_way({ person: personId })
      })
    },

    async removeAll(personId: number): Promise<void> {
      await ctx.db.write(async (tx) => {
        await tx.deleteFrom('passkeys__credential').where('person_id', '=', personId).execute()
        await tx.deleteFrom('passkeys__registration').where('person_id', '=', personId).execute()
      })
    },
  }
}
export type Passkeys = ReturnType<typeof createPasskeys>
