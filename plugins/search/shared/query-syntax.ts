import type { SearchQuery } from './query.ts'

/** What somebody asks for, taken apart; names and ids are still text. */
export interface ParsedQuery extends Omit<SearchQuery, 'authorId' | 'parent' | 'experience' | 'order' | 'page' | 'size' | 'among'> {
  /** Username, or `me`. */
  user?: string
  /** Public id of what the results are to be parts of: `inexperience:<id>`. */
  experience?: string
  /** Words behind `is:` that other plugins may know. */
  marks?: string[]
}

export const MAX_QUERY_LENGTH = 60
export const MAX_WORDS = 5
const MAX_TAGS = 5
const MAX_MARKS = 3

const TAG = /[[【]([^\]】]+)[\]】]/g
const QUOTED = /["“”]([^"“”]+)["“”]/g
const OPERATOR = /(?<!\S)([a-z]+)[:：](\S+)/gi
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/u

/** Operators by name: each changes the query and says whether its value made sense. */
const operators: Record<string, (query: ParsedQuery, value: string) => boolean> = {
  user: (query, value) => {
    query.user = value
    return true
  },
  is: (query, value) => {
    if (value === 'experience' || value === 'question') query.kind = 'experience'
    else if (value === 'comment' || value === 'answer') query.kind = 'answer'
    else if (/^[a-z]{2,30}$/.test(value)) query.marks = [...new Set([...(query.marks ?? []), value])].slice(0, MAX_MARKS)
    else return false
    return true
  },
  score: (query, value) =>
    count(value, (n) => {
      if (n === 0) query.noVotes = true
      else query.minVotes = n
    }),
  answers: (query, value) =>
    count(value, (n) => {
      if (n === 0) query.noAnswers = true
      else query.minAnswers = n
      query.kind ??= 'experience'
    }),
  views: (query, value) =>
    count(value, (n) => {
      query.minViews = n
      query.kind ??= 'experience'
    }),
  hasaccepted: (query, value) => accepted(query, value, 'experience'),
  isaccepted: (query, value) => accepted(query, value, 'answer'),
  inexperience: (query, value) => inside(query, value),
  inquestion: (query, value) => inside(query, value),
}

function count(value: string, use: (n: number) => void): boolean {
  if (!/^\d{1,9}$/.test(value)) return false
  use(Number(value))
  return true
}

function accepted(query: ParsedQuery, value: string, kind: 'experience' | 'answer'): boolean {
  if (value !== 'yes' && value !== 'no') return false
  query.accepted = value === 'yes'
  query.kind = kind
  return true
}

function inside(query: ParsedQuery, value: string): boolean {
  query.experience = value
  query.kind = 'answer'
  return true
}

/**
 * Reads the search syntax of the specification: `[tag]`, `user:name`, `score:n`, `answers:n`, `is:…`, `"a phrase"` and free words.
 * Full-width brackets, colons and quotes of Chinese keyboards count as well. What is no operator is searched for as words.
 */
export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = { words: [], phrases: [], tags: [] }
  let rest = text.normalize('NFKC').replace(TAG, (_, tag: string) => {
    if (tag.trim() && query.tags.length < MAX_TAGS) query.tags.push(tag.trim().toLowerCase())
    return ' '
  })
  rest = rest.replace(QUOTED, (_, phrase: string) => {
    const found = wordsOf(phrase).join(' ')
    if (found) query.phrases.push(found)
    return ' '
  })
  rest = rest.replace(OPERATOR, (all, name: string, value: string) => {
    const operator = operators[name.toLowerCase()]
    // Ids are case-sensitive in their short form, every other value is not.
    const known = operator?.(query, /^in/i.test(name) ? value : value.toLowerCase())
    return known ? ' ' : all
  })
  query.words = [...new Set(wordsOf(rest))].slice(0, MAX_WORDS)
  return query
}

/** Words of a text, lower case, without punctuation. Text in scripts without spaces stays in one piece. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().split(NOT_A_WORD).filter(Boolean)
}
