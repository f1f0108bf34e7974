import { LRUCache } from 'lru-cache'
import type { SearchHits } from '../shared/api.ts'
import type { Asked } from './find-documents.ts'
import { findDocuments } from './find-documents.ts'

const MOST = 500

interface Memory {
  version: number
  hits: LRUCache<string, SearchHits>
}
/** Per database: one process may hold several. */
const memories = new WeakMap<object, Memory>()

/**
 * Searches, or says what was found before, while the index is the same.
 * @param version of the index
 */
export async function findCached(asked: Asked, version: number): Promise<SearchHits> {
  const { db, query, kinds } = asked
  const memory = memories.get(db) ?? { version, hits: new LRUCache({ max: MOST }) }
  memories.set(db, memory)
  if (memory.version !== version) {
    memory.version = version
    memory.hits.clear()
  }
  const key = JSON.stringify([query, kinds])
  const known = memory.hits.get(key)
  if (known) return known
  const found = await findDocuments(asked)
  if (memory.version === version) memory.hits.set(key, found)
  return found
}
