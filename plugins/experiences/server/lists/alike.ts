import type { ServerContext } from '@stoa/sdk/server'
import type { SearchFinder } from '../../../search/shared/api.ts'
import type { Tables } from '../store/tables.ts'
import { titleWords } from './title-words.ts'

interface Finder {
  readonly current: SearchFinder | undefined
}

/** Each word that is looked for costs about the same. */
const MOST_WORDS = 8
const CANDIDATES = 30

/** At most so many, from the whole of the list. */
function spread<T>(list: readonly T[], most: number): T[] {
  const length = Math.min(most, list.length)
  return Array.from({ length }, (_, index) => list[Math.floor((index * list.length) / length)] as T)
}

/** Numbers of posts that search finds for a title, best first; none while search is off or fails. */
export async function postsForTitle(finder: Finder, title: string): Promise<number[]> {
  const words = spread(titleWords(title), MOST_WORDS)
  if (!finder.current || words.length === 0) return []
  const query = { words, phrases: [], tags: [], kind: 'experience' as const, order: 'relevance' as const, page: 1, size: CANDIDATES }
  const found = await finder.current.search(query).catch(() => ({ hits: [] }))
  return found.hits.map((hit) => hit.n)
}

const REMEMBERED = 5000
const REMEMBERED_SECONDS = 24 * 3600
/** A search costs more than the page that it is for: whoever reads all posts of a site makes two a second at most and not one a page. */
const REST_MS = 500
/** Times as long as a search took: a hundredth of a processor at most, however slow that is. With a twentieth it was a third of the time of statements under crawlers on PostgreSQL (measured). */
const REST_FACTOR = 100
const MOST_WAITING = 100

export interface AlikePosts {
  /** What is known of a post at this moment, best first. Nothing of one that nobody asked for lately: it is looked up, for those who come after. */
  of(n: number): readonly number[]
}

/** Posts with the words of a post's title. Kept in memory of the node: to find them again costs a few milliseconds. */
export function createAlikePosts(ctx: ServerContext<Tables>, finder: Finder): AlikePosts {
  const known = new Map<number, { ns: number[]; until: number }>()
  const waiting = new Set<number>()
  let timer: NodeJS.Timeout | undefined

  async function lookUp(n: number): Promise<void> {
    const post = await ctx.db.query.selectFrom('experiences__post').select('title').where('id', '=', n).executeTakeFirst()
    const ns = post ? await postsForTitle(finder, post.title) : []
    known.delete(n)
    known.set(n, { ns: ns.filter((other) => other !== n), until: ctx.now() + REMEMBERED_SECONDS })
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break
      known.delete(oldest)
    }
  }

  function next(): void {
    const [n] = waiting
    if (n === undefined) {
      timer = undefined
      return
    }
    waiting.delete(n)
    const began = performance.now()
    void lookUp(n)
      .catch((error: unknown) => ctx.log.warn('Posts alike were not found', { post: n, error: String(error) }))
      .then(() => {
        if (isOver) return
        timer = setTimeout(next, Math.max(REST_MS, REST_FACTOR * (performance.now() - began)))
        timer.unref()
      })
  }
  let isOver = false
  ctx.plugin.own(() => {
    isOver = true
    clearTimeout(timer)
  })

  return {
    of(n) {
      const found = known.get(n)
      if (found && found.until > ctx.now()) return found.ns
      if (!finder.current || waiting.size >= MOST_WAITING) return found?.ns ?? []
      waiting.add(n)
      timer ??= setTimeout(next)
      return found?.ns ?? []
    },
  }
}
