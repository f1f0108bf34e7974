import { parseQuery } from '../shared/query-syntax.ts'

export interface Piece {
  text: string
  isHit: boolean
}

/** Cuts a text at the words and phrases of a query, so that hits can be marked without any HTML. */
export function highlight(text: string, query: string): Piece[] {
  const { words, phrases } = parseQuery(query)
  const patterns = [...phrases, ...words].sort((a, b) => b.length - a.length).map(patternOf)
  if (patterns.length === 0) return [{ text, isHit: false }]
  const parts = text.split(new RegExp(`(${patterns.join('|')})`, 'giu'))
  return parts.map((part, index) => ({ text: part, isHit: index % 2 === 1 })).filter((piece) => piece.text !== '')
}

/** Characters kept before the first hit, so that a line or two show it. */
const BEFORE_HIT = 36

/** An excerpt that begins shortly before its first hit. */
export function nearFirstHit(text: string, query: string): string {
  const [first, second] = highlight(text, query)
  if (!first || first.isHit || !second || first.text.length <= BEFORE_HIT * 1.5) return text
  const from = first.text.length - BEFORE_HIT
  const space = first.text.indexOf(' ', from)
  return `…${text.slice(space >= 0 && space < from + BEFORE_HIT / 2 ? space + 1 : from)}`
}

const DENSE = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

/** Whole words, except in scripts that do not part them; what stands between the words of a phrase is free. */
function patternOf(term: string): string {
  const body = term
    .split(' ')
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('[^\\p{L}\\p{N}]+')
  return DENSE.test(term) ? body : `(?<![\\p{L}\\p{N}])${body}(?![\\p{L}\\p{N}])`
}
