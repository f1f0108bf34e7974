import { LRUCache } from 'lru-cache'
import type { SearchHits } from '../shared/api.ts'
import type { Asked } from './find-documents.ts'
import { findDocuments } from './find-documents.ts'

/** Counting this many takes longer than searching; their number may be a little old. */
const WORTH_KEEPING = 5000
const KEPT_MS = 10_000
const MOST = 500

interface Memory {
  version: number
  hits: LRUCache<string, SearchHits>
  totals: LRUCache<string, { total: number; version: number; until: number }>
}
/** Per database: one process may hold several. */
const memories = new WeakMap<object, Memory>()

/**
 * Searches, or says what was found before, while the index is the same. Only large totals survive its changes, for ten seconds.
 * @param version of the index
 */
export async function findCached(asked: Asked, version: number): Promise<SearchHits> {
  const { db, query, kinds } = asked
  const memory = memories.get(db) ?? { version, hits: new LRUCache({ max: MOST }), totals: new LRUCache({ max: MOST }) }
  memories.set(db, memory)
  if (memory.version !== version) {
    memory.version = version
    memory.hits.clear()
  }
  const key = JSON.stringify([query, kinds])
  const known = memory.hits.get(key)
  if (known) return known
  const { order: _, page: __, size: ___, ...conditions } = query
  const found = await findDocuments(asked, (count) => totalOf(memory, version, JSON.stringify([conditions, kinds]), count))
  if (memory.version === version) memory.hits.set(key, found)
  return found
}

async function totalOf(memory: Memory, version: number, key: string, count: () => Promise<number>): Promise<number> {
  const known = memory.totals.get(key)
  if (known && (known.version === version || known.until > performance.now())) return known.total
  const total = await count()
  memory.totals.set(key, { total, version, until: total < WORTH_KEEPING ? 0 : performance.now() + KEPT_MS })
  return total
}
