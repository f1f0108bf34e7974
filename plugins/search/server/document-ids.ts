import type { Kysely } from 'kysely'
import type { SearchDocument } from '../shared/api.ts'
import type { SearchTables } from './tables.ts'

/** Documents of one second; ids stay below 2^53 until the year 2242. */
const PER_SECOND = 2 ** 20

/**
 * Ids for documents that have none yet: newer ones are higher, so that the full text index, which walks ids, walks by age.
 * @returns by position in `documents`
 */
export async function newDocumentIds(tx: Kysely<SearchTables>, documents: readonly SearchDocument[]): Promise<number[]> {
  const ids = documents.map(({ createdAt, n }) => Math.max(0, createdAt) * PER_SECOND + (n % (PER_SECOND / 2)))
  if (ids.length === 0) return ids
  const stored = await tx.selectFrom('search__document').select('id').where('id', 'in', ids).execute()
  const taken = new Set(stored.map(({ id }) => id))
  for (const [index, first] of ids.entries()) {
    let id = first
    while (taken.has(id)) id = await nextFree(tx, id, taken)
    taken.add(id)
    ids[index] = id
  }
  return ids
}

async function nextFree(tx: Kysely<SearchTables>, taken: number, reserved: ReadonlySet<number>): Promise<number> {
  for (let id = taken + 1; ; id++) {
    if (reserved.has(id)) continue
    const row = await tx.selectFrom('search__document').select('id').where('id', '=', id).executeTakeFirst()
    if (!row) return id
  }
}
