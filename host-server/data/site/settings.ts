import type { Revisions } from '../db/revisions.ts'
import type { KernelDatabase } from '../db/transactions.ts'

type Values = Record<string, unknown>

export interface SettingStore {
  /** Stored values of a plugin; without the defaults of its manifest. From memory. */
  get(slug: string): Values
  /** Stored values of everybody, by slug. */
  all(): ReadonlyMap<string, Values>
  /** Merges `values` into what is stored, in the current transaction; a member that is undefined is removed. */
  set(slug: string, values: Values): Promise<void>
  load(): Promise<void>
  /** `fn` runs after a change has been committed, on every node. @returns what ends it */
  onChange(fn: (slug: string) => void): () => void
}

/** Values of all config forms, a JSON object per plugin. */
export function createSettings(database: KernelDatabase, revisions: Revisions, onFault: (error: unknown) => void): SettingStore {
  const known = new Map<string, string>()
  const parsed = new Map<string, Values>()
  let round = 0
  const listeners = new Set<(slug: string) => void>()

  function put(slug: string, json: string): void {
    if (known.get(slug) === json) return
    known.set(slug, json)
    parsed.set(slug, JSON.parse(json) as Values)
    for (const listener of listeners) {
      try {
        listener(slug)
      } catch (error) {
        onFault(error)
      }
    }
  }

  async function load(): Promise<void> {
    const mine = ++round
    const rows = await database.outside(() => database.query.selectFrom('kernel__setting').select(['slug', 'json']).execute())
    // An answer that was overtaken by a later question is old.
    if (mine === round) for (const { slug, json } of rows) put(slug, json)
  }

  revisions.on('settings', load)
  return {
    get: (slug) => parsed.get(slug) ?? {},
    all: () => new Map(parsed),
    load,
    async set(slug, values) {
      await database.write(async (tx) => {
        // Raised first: the row of the topic is locked until commit, so that two merges cannot lose each other's members.
        await revisions.raise('settings')
        const row = await tx.selectFrom('kernel__setting').select('json').where('slug', '=', slug).executeTakeFirst()
        const json = JSON.stringify({ ...(row && (JSON.parse(row.json) as Values)), ...values })
        await tx
          .insertInto('kernel__setting')
          .values({ slug, json })
          .onConflict((oc) => oc.column('slug').doUpdateSet({ json }))
          .execute()
        database.afterCommit(() => put(slug, json))
      })
    },
    onChange(fn) {
      listeners.add(fn)
      return () => listeners.delete(fn)
    },
  }
}
