import { RE2JS } from 're2js'

/** Bounds of a list: more is refused when it is saved. */
const MOST_LINES = 10_000
const LONGEST_LINE = 100
const MOST_PATTERNS = 50
/** Characters of a text that are looked at. */
const LONGEST_TEXT = 70_000

/** Letters that are written without blanks between words: a word stands inside of others. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const WORD = /[\p{L}\p{N}]/u
/** What is seen by nobody and splits words. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** `/…/` is a pattern. */
const PATTERN = /^\/(.+)\/$/

interface Node {
  next: Map<string, Node>
  /** The word that ends here, as it was typed. */
  word?: string
}

interface WordList {
  root: Node
  patterns: { source: string; pattern: RE2JS }[]
}

/** As texts and lists are compared: one width, small letters, nothing invisible, one blank between words. */
const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replace(INVISIBLE, '').replace(/\s+/g, ' ')

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Compiles lines of words and `/patterns/`; the time of both grows with the text alone. @throws for what {@link problemOf} names */
export function compile(text: string): WordList {
  const list: WordList = { root: { next: new Map() }, patterns: [] }
  for (const line of linesOf(text)) {
    const source = PATTERN.exec(line)?.[1]
    if (source !== undefined) {
      list.patterns.push({ source: line, pattern: RE2JS.compile(source, RE2JS.CASE_INSENSITIVE) })
      continue
    }
    let node = list.root
    for (const character of plain(line)) {
      const next = node.next.get(character) ?? { next: new Map() }
      node.next.set(character, next)
      node = next
    }
    node.word = line
  }
  return list
}

/** Key of what is wrong with a list, and where; undefined for a good one. */
export function problemOf(text: string): { key: string; line: number } | undefined {
  const lines = text.split('\n')
  let patterns = 0
  for (const [index, raw] of lines.entries()) {
    const at = (key: string) => ({ key: `reviewer_basic.${key}`, line: index + 1 })
    const line = raw.trim()
    if (index >= MOST_LINES) return at('too_many')
    if (line.length > LONGEST_LINE) return at('too_long')
    const source = PATTERN.exec(line)?.[1]
    if (source === undefined) continue
    patterns += 1
    if (patterns > MOST_PATTERNS) return at('too_many_patterns')
    try {
      RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
    } catch {
      return at('bad_pattern')
    }
  }
  return undefined
}

/** The first word or pattern of a list that a text has; Chinese counts inside of a text, other words as whole words. */
export function findIn({ root, patterns }: WordList, text: string): string | undefined {
  const characters = [...plain(text.slice(0, LONGEST_TEXT))]
  for (let from = 0; from < characters.length; from++) {
    let node = root
    for (let at = from; at < characters.length; at++) {
      const next = node.next.get(characters[at] as string)
      if (!next) break
      node = next
      if (node.word !== undefined && isWhole(characters, from, at)) return node.word
    }
  }
  const whole = characters.join('')
  return patterns.find(({ pattern }) => pattern.matcher(whole).find())?.source
}

/** Whether no letter of the same kind stands next to it. */
function isWhole(characters: readonly string[], from: number, to: number): boolean {
  return !joins(characters[from - 1], characters[from]) && !joins(characters[to], characters[to + 1])
}
const joins = (one = '', other = ''): boolean => WORD.test(one) && WORD.test(other) && !UNSPACED.test(one) && !UNSPACED.test(other)
