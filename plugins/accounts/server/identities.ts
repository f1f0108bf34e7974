import type { Provided, ServerContext, Wanted } from '@stoa/sdk/server'
import { uniqueOr } from '@stoa/sdk/server'
import type { SignInMethod, signInMethods, waysIn } from '../shared/api.ts'
import type { LoginOrder } from './login-order.ts'
import { outsideRefusals } from './outside-refusals.ts'
import type { AccountTables } from './tables.ts'

const WELL_FORMED = /^[a-z0-9][a-z0-9.-]{0,79}$/

/** A method and the plugin it is of. */
export type Offered = SignInMethod & { slug: string }

/** By which other sites know people, and which of these sites can be used now. */
export function createIdentities(ctx: ServerContext<AccountTables>, offered: Wanted<typeof signInMethods>, order: LoginOrder) {
  /** A plugin offers under its own name only, so that it lets in nobody who is bound to another. */
  function methodsOf({ slug, service }: Provided<{ methods(): readonly SignInMethod[] }>): Offered[] {
    try {
      return service
        .methods()
        .filter(({ id, usable }) => WELL_FORMED.test(id) && (id === slug || id.startsWith(`${slug}.`)) && usable?.() !== false)
        .map((method) => ({ ...method, slug }))
    } catch (error) {
      ctx.log.warn('a plugin cannot say which logins it offers', { slug, error: (error as Error).message })
      return []
    }
  }
  const methods = () => order.sorted(offered.current.flatMap(methodsOf))

  async function letsIn(some: readonly Offered[], people: readonly number[]): Promise<ReadonlySet<number>> {
    if (some.length === 0 || people.length === 0) return new Set()
    const ids = some.map(({ id }) => id)
    const rows = await ctx.db.query
      .selectFrom('accounts__identity')
      .select('person_id')
      .where('method', 'in', ids)
      .where('person_id', 'in', people)
      .execute()
    return new Set(rows.map(({ person_id }) => person_id))
  }

  return {
    /** On offer now, in the owner's order. */
    methods,
    method: (id: string) => methods().find((method) => method.id === id),

    /** Ways in by plugin, beside those that plugins know of themselves. */
    ways: (others: Wanted<typeof waysIn>): Wanted<typeof waysIn> => ({
      get current() {
        const own = offered.current.map((provider) => ({
          slug: provider.slug,
          service: { letsIn: (people: readonly number[]) => letsIn(methodsOf(provider), people) },
        }))
        return [...others.current, ...own]
      },
    }),

    /** Whether the person could still log in by another method of the same plugin. */
    hasOther: async ({ id, slug }: Offered, personId: number): Promise<boolean> => {
      const others = methods().filter((method) => method.slug === slug && method.id !== id)
      return (await letsIn(others, [personId])).has(personId)
    },

    async ownerOf(method: string, externalId: string): Promise<number | undefined> {
      const row = await ctx.db.query
        .selectFrom('accounts__identity')
        .select('person_id')
        .where('method', '=', method)
        .where('external_id', '=', externalId)
        .executeTakeFirst()
      return row?.person_id
    },

    used: async (method: string, externalId: string): Promise<void> => {
      await ctx.db.write((tx) =>
        tx
          .updateTable('accounts__identity')
          .set({ used_at: ctx.now() })
          .where('method', '=', method)
          .where('external_id', '=', externalId)
          .execute(),
      )
    },

    of: (personId: number) =>
      ctx.db.query
        .selectFrom('accounts__identity')
        .select(['method', 'external_id', 'created_at', 'used_at'])
        .where('person_id', '=', personId)
        .orderBy('method')
        .execute(),

    /** In the current transaction. @throws the refusal `taken` where it is somebody's, `second` where the person has another one of the method */
    async bind(method: string, externalId: string, personId: number): Promise<void> {
      const row = { method, external_id: externalId, person_id: personId, created_at: ctx.now(), used_at: ctx.now() }
      try {
        await ctx.db.write((tx) => tx.insertInto('accounts__identity').values(row).execute())
      } catch (error) {
        throw uniqueOr(error, {
          'accounts__identity.method,external_id': () => outsideRefusals.taken(),
          'accounts__identity.person_id,method': () => outsideRefusals.second(),
        })
      }
    },

    async unbind(method: string, externalId: string, personId: number): Promise<boolean> {
      const { numDeletedRows } = await ctx.db.write((tx) =>
        tx
          .deleteFrom('accounts__identity')
          .where('method', '=', method)
          .where('external_id', '=', externalId)
          .where('person_id', '=', personId)
          .executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },
  }
}
export type Identities = ReturnType<typeof createIdentities>
