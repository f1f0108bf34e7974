import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DocumentRow, SearchTables } from './tables.ts'

/** Of a document whose text stands in the index in another form than the present one. A hash alone begins with a letter, a digit, `-` or `_`. */
export const isOlder = sql<boolean>`left(text_hash, 1) <> '~'`

/** The first hash of such a document; null where there is none. Only their own index has them in this order. */
export const firstOlder = sql<string | null>`(select min(text_hash) from search__document where ${isOlder})`

const AT_ONCE = 200

/** Some such documents of these kinds, by their hashes. @param after hash of the last one before */
export async function olderDocuments(
  db: Kysely<SearchTables>,
  kinds: readonly string[],
  after: string,
): Promise<Pick<DocumentRow, 'kind' | 'n' | 'text_hash'>[]> {
  if (kinds.length === 0) return []
  return await db
    .selectFrom('search__document')
    .select(['kind', 'n', 'text_hash'])
    .where(isOlder)
    .where('text_hash', '>', after)
    .where('kind', 'in', kinds)
    .orderBy('text_hash')
    .limit(AT_ONCE)
    .execute()
}
