import type { SearchDocument, SearchEngine } from '@stoa/plugin-search/api'
import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { anywhere, inOrder, meets } from './matching.ts'

interface Tables {
  plain_search__document: { kind: string; n: number; text: string; facts: string }
}

/** Reads through all texts: right for a small site, and easy to follow. */
export function createEngine({ db }: ServerContext<Tables>): SearchEngine {
  const remove = (tx: Kysely<Tables>, { kind, n }: SearchDocument) =>
    tx.deleteFrom('plain_search__document').where('kind', '=', kind).where('n', '=', n).execute()

  return {
    async search(query) {
      const like = (text: string) => sql<boolean>`text like ${anywhere(text)} escape '\\'`
      let found = db.query.selectFrom('plain_search__document').select('facts')
      for (const phrase of query.phrases) found = found.where(like(phrase))
      if (query.words.length > 0) found = found.where((is) => is.or(query.words.map(like)))
      const rows = await found.execute()
      const matching = rows.map(({ facts }) => JSON.parse(facts)).filter((facts) => meets(facts, query))
      const page = inOrder(matching, query.order).slice((query.page - 1) * query.size, query.page * query.size)
      return { total: matching.length, hits: page.map(({ kind, n }) => ({ kind, n })) }
    },

    async store(documents) {
      await db.write(async (tx) => {
        for (const document of documents) {
          await remove(tx, document)
          const { title, text, visible, ...facts } = document
          if (!visible) continue
          const row = { kind: facts.kind, n: facts.n, text: `${title}\n${text}`.toLowerCase(), facts: JSON.stringify(facts) }
          await tx.insertInto('plain_search__document').values(row).execute()
        }
      })
    },

    async clear() {
      await db.write(async (tx) => void (await tx.deleteFrom('plain_search__document').execute()))
    },

    describe: () => ({ name: 'Plain search', icon: '', link: '' }),
  }
}
