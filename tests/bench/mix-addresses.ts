import { PAGE } from './bare-lists.ts'

/** Paths of each kind of the mix, made anew with each call. A page comes again when all posts have been, what else does when enough of it has. */
export interface MixAddresses {
  lists(): string[]
  details(): string[]
  searches(): string[]
  /** In every order but relevance, half of them with a condition, and their first pages. */
  ordered(): string[]
  documents(): string[]
}

/** Addresses of one round: more than any side answers in it. */
const MANY = 8_000
/** Pages of a list are taken from the first ones on. */
const DEEPEST_PAGE = 200
const SEARCH_ORDERS = ['newest', 'active', 'score']
const CONDITIONS = ['score:2', 'answers:1', 'views:3', 'is:experience', 'is:comment']
const SEARCH_PAGES = 5
const ORDERS = ['newest', 'active', 'hot', 'score', 'unanswered']
const TAGS = 20
/** Posts that are asked for at once, when it is found out which there are. */
const SIZE = 100
/** So many pages of them, spread over all, give the words that are searched. */
const WORD_PAGES = 60

interface Page {
  count: number
  list: { id: string; title: string; description: string }[]
}

/**
 * Asks a site what there is: how long its lists are, some thousand posts, and words that stand in them.
 * @param seed of the order; the same gives the same addresses on the same data
 */
export async function mixAddresses(url: string, seed = 13): Promise<MixAddresses> {
  const random = randomFrom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}/answer/api/v1/${path}`)
    if (!response.ok) throw new Error(`${path} is answered with ${response.status}`)
    return ((await response.json()) as { data: T }).data
  }
  const listPath = (query: Record<string, string | number>) =>
    `experience/page?${new URLSearchParams(Object.entries({ page_size: PAGE, ...query }).map(([name, value]) => [name, String(value)]))}`

  const { list: tags } = await ask<{ list: { slug_name: string }[] }>(`tags/page?page=1&page_size=${TAGS}&query_cond=popular`)
  /** Pages of a list that are full, so that posts which grow too old meanwhile leave none of them empty. */
  const pagesOf = async (query: Record<string, string>) => {
    const { count } = await ask<Page>(listPath({ ...query, page: 1 }))
    return Math.min(DEEPEST_PAGE, Math.floor(count / PAGE))
  }
  const plain = await withPages(ORDERS, (order) => ({ order }), pagesOf)
  const tagged = await withPages(
    tags.flatMap(({ slug_name }) => ORDERS.map((order) => ({ order, tag: slug_name }))),
    (query) => query,
    pagesOf,
  )
  const { count } = await ask<Page>(listPath({ page: 1, order: 'newest' }))
  const ids: string[] = []
  const texts: string[] = []
  const last = Math.floor(count / SIZE)
  const step = Math.max(1, Math.floor(last / WORD_PAGES))
  for (let page = 1; page <= last; page++) {
    const { list } = await ask<Page>(`experience/page?order=newest&page=${page}&page_size=${SIZE}`)
    ids.push(...list.map(({ id }) => id))
    if (page % step === 0) texts.push(...list.map(({ title, description }) => `${title} ${description}`))
  }
  const words = wordsOf(texts)

  const anyWords = () => {
    const language = random() < 0.5 ? words.zh : words.en
    return random() < 0.5 ? `${pick(language)} ${pick(language)}` : pick(language)
  }
  const searchPath = (q: string, order: string, page: number) =>
    `/answer/api/v1/search?q=${encodeURIComponent(q)}&order=${order}&page=${page}&size=${PAGE}`
  const many = (make: () => string) => [...new Set(Array.from({ length: MANY }, make))]
  /** Of each post, in an order of its own. */
  const inTurn = (pathOf: (id: string) => string) => {
    const order = ids.map((id) => ({ id, at: random() })).toSorted((a, b) => a.at - b.at)
    let next = 0
    return () => Array.from({ length: Math.min(MANY, order.length) }, () => pathOf((order[next++ % order.length] as { id: string }).id))
  }
  return {
    lists: () =>
      Array.from({ length: MANY }, () => {
        const { query, pages } = pick(random() < 1 / 3 ? tagged : plain)
        return `/answer/api/v1/${listPath({ ...query, page: 1 + below(pages) })}`
      }),
    details: inTurn((id) => `/answer/api/v1/experience/info?id=${id}`),
    documents: inTurn((id) => `/experiences/${id}`),
    searches: () => many(() => searchPath(anyWords(), 'relevance', 1)),
    ordered: () =>
      many(() => {
        const condition = random() < 0.5 ? ` ${pick(CONDITIONS)}` : ''
        return searchPath(anyWords() + condition, pick(SEARCH_ORDERS), 1 + below(SEARCH_PAGES))
      }),
  }
}

async function withPages<T>(
  from: T[],
  queryOf: (one: T) => Record<string, string>,
  pagesOf: (query: Record<string, string>) => Promise<number>,
) {
  const found = []
  for (const one of from) {
    const query = queryOf(one)
    const pages = await pagesOf(query)
    if (pages > 0) found.push({ query, pages })
  }
  return found
}

/** What somebody may search: two to four Chinese characters that stand together, and English words, each once. */
function wordsOf(texts: string[]): { zh: string[]; en: string[] } {
  const zh = texts.flatMap((text) => [2, 3, 4].flatMap((length) => text.match(new RegExp(`\\p{Script=Han}{${length}}`, 'gu')) ?? []))
  const en = texts.flatMap((text) => text.toLowerCase().match(/\b[a-z]{4,}\b/g) ?? [])
  return { zh: [...new Set(zh)], en: [...new Set(en)] }
}

/** Numbers from 0 to 1 that only a seed decides (Marsaglia, "Xorshift RNGs", 2003). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
