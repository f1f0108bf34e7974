import type { Needed, ServerContext } from '@stoa/sdk/server'
import type { Confirmer, confirmation } from '../../accounts/shared/api.ts'
import { twoFactorErrors } from '../shared/api.ts'
import { enrolment, newRecoveryCodes, newSecret, recoveryHash, stepOf } from './codes.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  confirmation: Needed<typeof confirmation>
}

/** Codes of an app and of a sheet of paper: setting up, using up, removing. */
export function createFactor({ ctx, confirmation }: Capabilities) {
  const { slug } = ctx.plugin

  const find = (personId: number) =>
    ctx.db.query
      .selectFrom('two_factor__secret')
      .select(['secret', 'enabled_at', 'last_step'])
      .where('person_id', '=', personId)
      .executeTakeFirst()

  async function countRecovery(personId: number): Promise<number> {
    const { count } = await ctx.db.query
      .selectFrom('two_factor__recovery')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** People who log in with a second step. */
  async function countPeople(): Promise<number> {
    const { count } = await ctx.db.query
      .selectFrom('two_factor__secret')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('enabled_at', '>', 0)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  const isOn = async (personId: number): Promise<boolean> => ((await find(personId))?.enabled_at ?? 0) > 0

  /** New codes in place of all others, in the current transaction. */
  async function issueRecovery(personId: number): Promise<string[]> {
    const codes = newRecoveryCodes()
    await ctx.db.write(async (tx) => {
      await tx.deleteFrom('two_factor__recovery').where('person_id', '=', personId).execute()
      const rows = codes.map((code) => ({ person_id: personId, code_hash: recoveryHash(personId, code) as string }))
      await tx.insertInto('two_factor__recovery').values(rows).execute()
    })
    return codes
  }

  const totp: Confirmer = {
    id: slug,
    name: 'two_factor.app',
    fields: [{ name: 'code', label: 'two_factor.app_code', type: 'code' }],
    atLogin: 'demanded',
    isSetUp: isOn,
    async check(personId, { code = '' }) {
      const row = await find(personId)
      const step = row && row.enabled_at > 0 ? stepOf(row.secret, code, ctx.now()) : undefined
      if (step === undefined) return false
      // Neither this code nor one before it counts again: of two at once, one finds the step taken.
      const { numUpdatedRows } = await ctx.db.write((tx) =>
        tx
          .updateTable('two_factor__secret')
          .set({ last_step: step })
          .where('person_id', '=', personId)
          .where('enabled_at', '>', 0)
          .where('last_step', '<', step)
          .executeTakeFirst(),
      )
      return numUpdatedRows > 0n
    },
  }

  const recovery: Confirmer = {
    id: `${slug}.recovery`,
    name: 'two_factor.recovery',
    fields: [{ name: 'code', label: 'two_factor.recovery', type: 'code' }],
    atLogin: 'accepted',
    isSetUp: async (personId) => (await countRecovery(personId)) > 0,
    async check(personId, { code = '' }) {
      const code_hash = recoveryHash(personId, code)
      if (code_hash === undefined) return false
      const { numDeletedRows } = await ctx.db.write((tx) =>
        tx.deleteFrom('two_factor__recovery').where('person_id', '=', personId).where('code_hash', '=', code_hash).executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },
  }

  /** Whatever there was is gone, in the current transaction. @returns whether it was on */
  async function remove(personId: number): Promise<boolean> {
    return ctx.db.write(async (tx) => {
      const row = await tx.deleteFrom('two_factor__secret').where('person_id', '=', personId).returning('enabled_at').executeTakeFirst()
      await tx.deleteFrom('two_factor__recovery').where('person_id', '=', personId).execute()
      const wasOn = (row?.enabled_at ?? 0) > 0
      if (wasOn) await confirmation.demand(personId, slug, false)
      return wasOn
    })
  }

  return {
    confirmers: [totp, recovery],
    find,
    isOn,
    countRecovery,
    countPeople,
    remove,

    /** A secret to be confirmed by a code; one that was not confirmed is replaced. @throws `error.two_factor.already_on` */
    async begin(personId: number, label: string) {
      const secret = newSecret()
      const row = await ctx.db.write((tx) =>
        tx
          .insertInto('two_factor__secret')
          .values({ person_id: personId, secret })
          .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ secret }).where('two_factor__secret.enabled_at', '=', 0))
          .returning('person_id')
          .executeTakeFirst(),
      )
      if (!row) throw twoFactorErrors.already_on({ id: personId })
      return { secret, ...enrolment(secret, ctx.site.name, label) }
    },

    /** @returns the recovery codes, which nobody can read again @throws `error.two_factor.wrong_code`, `error.two_factor.not_begun` */
    async enable(personId: number, code: string): Promise<string[]> {
      const row = await find(personId)
      if (!row) throw twoFactorErrors.not_begun({ id: personId })
      if (row.enabled_at > 0) throw twoFactorErrors.already_on({ id: personId })
      const step = stepOf(row.secret, code, ctx.now())
      if (step === undefined) throw twoFactorErrors.wrong_code()
      return ctx.db.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('two_factor__secret')
          .set({ enabled_at: ctx.now(), last_step: step })
          .where('person_id', '=', personId)
          .where('secret', '=', row.secret)
          .where('enabled_at', '=', 0)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw twoFactorErrors.already_on({ id: personId })
        await confirmation.demand(personId, slug, true)
        return issueRecovery(personId)
      })
    },

    /** @throws `error.two_factor.is_off` */
    renew: (personId: number): Promise<string[]> =>
      ctx.db.write(async () => {
        if (!(await isOn(personId))) throw twoFactorErrors.is_off({ id: personId })
        return issueRecovery(personId)
      }),
  }
}
export type Factor = ReturnType<typeof createFactor>
