import { BESIDE } from './bare-details.ts'
import { PAGE } from './bare-lists.ts'

/** One line of the table. */
export interface Case {
  name: string
  /** Paths of the site, asked for in turn. */
  ours: string[]
  /** Paths of the bare server. */
  bare: string[]
  /** Both sides reply with the same JSON; otherwise the bare side is the list that the budget names. */
  isSame: boolean
  /** Least ratio of ours to bare at 100,000 posts. */
  budget?: number
}

/** A path as part of a request line: `GET /path`. */
const get = (line: string): string => line.slice('GET '.length)

/** Pages of a list that are read in turn. */
const PAGES = [1, 2, 3, 4, 5]
const BARE_LIST = PAGES.map((page) => get(`GET /list/newest/${page}`))

/** Least ratio for a word by the share of posts it stands in. */
const SEARCH_BUDGETS: Record<string, number> = { '0.01': 0.15, '0.1': 0.1, '0.5': 0.03 }

/** @param words words by the share of posts they stand in; @param ns running numbers of the posts whose details are read */
export function casesOf(words: Record<string, string>, ns: number[]): Case[] {
  const lists = ['newest', 'active', 'hot', 'score', 'unanswered'].map((order) => ({
    name: `list, ${order}`,
    ours: PAGES.map((page) => get(`GET /answer/api/v1/experience/page?page=${page}&page_size=${PAGE}&order=${order}`)),
    bare: PAGES.map((page) => get(`GET /list/${order}/${page}`)),
    isSame: true,
    budget: 1,
  }))
  const detail = {
    name: 'detail and side calls',
    ours: ns.flatMap((n) => {
      const id = String(10_010_000_000_000_000n + BigInt(n))
      return [
        get(`GET /answer/api/v1/experience/info?id=${id}`),
        get(`GET /answer/api/v1/answer/page?experience_id=${id}&order=default&page=1&page_size=${BESIDE}`),
        get(`GET /answer/api/v1/comment/page?object_id=${id}&page=1&page_size=${BESIDE}`),
      ]
    }),
    bare: ns.flatMap((n) => [get(`GET /info/${n}`), get(`GET /replies/${n}`), get(`GET /remarks/${n}`)]),
    isSame: true,
    budget: 0.5,
  }
  const searches = Object.entries(words).map(([share, word]) => ({
    name: `search, word in ${Number(share) * 100} %`,
    ours: [get(`GET /answer/api/v1/search?q=${encodeURIComponent(word)}&order=relevance&page=1&size=${PAGE}`)],
    bare: BARE_LIST,
    isSame: false,
    ...(SEARCH_BUDGETS[share] !== undefined && { budget: SEARCH_BUDGETS[share] }),
  }))
  return [
    ...lists,
    detail,
    ...searches,
    { name: 'home page (HTML)', ours: ['/'], bare: BARE_LIST, isSame: false, budget: 0.3 },
    { name: 'plugin call', ours: ['/bench-toy/hello'], bare: ['/hello'], isSame: true },
  ]
}
