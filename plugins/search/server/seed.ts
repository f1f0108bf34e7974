import { defineSeeder } from '@stoa/sdk/seed'
import type { SearchSource } from '../shared/api.ts'
import { searchSource } from '../shared/api.ts'
import { completeDocuments } from './read-tokens.ts'
import { storeDocuments } from './store-documents.ts'
import { textIndexOf } from './text-index.ts'

const AT_ONCE = 5000

/** Indexes what other seeders wrote, behind what the index has already. */
export default defineSeeder({
  order: 90,
  async seed({ db, dialect, services, read, text }) {
    const index = textIndexOf(dialect)
    for (const { service: source } of services<SearchSource>(searchSource)) {
      const { kind } = source
      const known = await db
        .selectFrom('search__document')
        .select((build) => build.fn.max<number | null>('n').as('last'))
        .where('kind', '=', kind)
        .executeTakeFirst()
      let position = known?.last ?? 0
      for (;;) {
        const ns = await source.page(position, AT_ONCE)
        if (ns.length > 0) await storeDocuments(db, index, await read(completeDocuments, { documents: await source.documents(ns) }))
        position = ns.at(-1) ?? position
        if (ns.length < AT_ONCE) break
      }
      await db
        .insertInto('search__progress')
        .values({ kind, position, done: 1 })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet({ position, done: 1 }))
        .execute()
    }
    await index.compact((work) => work(db))
    return { search: text.markers }
  },
})
