import type { KernelDatabase } from '../db/transactions.ts'

type Values = Record<string, unknown>

export interface MemberSettingStore {
  /** What a person stored for a plugin; without the defaults of its manifest. */
  get(slug: string, personId: number): Promise<Values>
  /** Stores `values` in place of what was there, in the current transaction. */
  set(slug: string, personId: number, values: Values): Promise<void>
}

/** Values that each person has chosen for a plugin, a JSON object each. They go with the person and with the plugin's data. */
export function createMemberSettings(database: KernelDatabase): MemberSettingStore {
  return {
    async get(slug, personId) {
      const row = await database.query
        .selectFrom('kernel__member_setting')
        .select('json')
        .where('person_id', '=', personId)
        .where('slug', '=', slug)
        .executeTakeFirst()
      return row ? (JSON.parse(row.json) as Values) : {}
    },
    async set(slug, personId, values) {
      const json = JSON.stringify(values)
      await database.write((tx) =>
        tx
          .insertInto('kernel__member_setting')
          .values({ person_id: personId, slug, json })
          .onConflict((oc) => oc.columns(['person_id', 'slug']).doUpdateSet({ json }))
          .execute(),
      )
    },
  }
}
