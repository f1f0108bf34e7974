import { diffArrays } from 'diff'
import { changesOf, lineBounds } from '../shared/line-changes.ts'

/** A piece of a text that both have, or only the older or the newer one. */
export interface Part {
  kind: 'same' | 'removed' | 'added'
  text: string
}
/** One or more lines. `changed`: lines of both texts, whose parts say what differs; lines of one are whole. */
export interface DiffRow {
  kind: 'same' | 'removed' | 'added' | 'changed'
  /** Stands in a fence of code: read character by character, in a fixed width. */
  code: boolean
  parts: Part[]
}

/** Words of one change are compared within these bounds; beyond, its lines are shown whole. */
const mostWordEdits = 600
const longestMs = 100
/** Lines with less than this share in common are two lines, not one that was changed. */
const leastAlike = 0.3

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Words, as languages have them: Chinese has no blanks between them. Put together again they are the text. */
export const wordsOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** For each line, whether it belongs to a fence of code, its marks included. */
function codeLines(lines: readonly string[]): boolean[] {
  let fence: string | undefined
  return lines.map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const [, signs = '', rest = ''] = mark ?? []
    if (fence === undefined) {
      // A fence of grave accents has none in its first line: else it is code within a sentence.
      if (!mark || (signs.startsWith('`') && rest.includes('`'))) return false
      fence = signs
      return true
    }
    if (mark && signs.startsWith(fence) && rest.trim() === '') fence = undefined
    return true
  })
}

/** Words that differ between two pieces; undefined when they are too unlike. */
function wordParts(before: string, after: string): Part[] | undefined {
  const runs = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: mostWordEdits, timeout: longestMs })
  if (!runs) return undefined
  const parts = runs.map(
    ({ added, removed, value }): Part => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value.join('') }),
  )
  const common = parts.filter(({ kind }) => kind === 'same').reduce((sum, { text }) => sum + text.length, 0)
  return common >= leastAlike * Math.max(before.length, after.length) ? parts : undefined
}

/**
 * What differs between two texts: by words, in fences of code by lines. Takes about half a second for the worst texts.
 * Rows without those that were added give the older text again, line by line; rows without those that were removed the newer one.
 */
export function compare(before: string, after: string): DiffRow[] {
  const [older, newer] = [before.split('\n'), after.split('\n')]
  const [olderCode, newerCode] = [codeLines(older), codeLines(newer)]
  // Too unlike: all of the one for all of the other.
  const runs = diffArrays(older, newer, lineBounds)
  const changes = runs ? changesOf(runs) : [{ from: 0, to: older.length, lines: newer }]
  const rows: DiffRow[] = []
  const whole = (kind: 'same' | 'removed' | 'added', lines: string[], code: boolean[]) =>
    rows.push(...lines.map((text, index): DiffRow => ({ kind, code: code[index] === true, parts: [{ kind, text }] })))
  let [at, to] = [0, 0]
  let left = 20
  for (const change of changes) {
    whole('same', older.slice(at, change.from), olderCode.slice(at))
    to += change.from - at
    const gone = older.slice(change.from, change.to)
    const isCode = olderCode.slice(change.from, change.to).includes(true) || newerCode.slice(to, to + change.lines.length).includes(true)
    // The first twenty changes by words: who changed more has written anew.
    const parts =
      !isCode && gone.length > 0 && change.lines.length > 0 && left-- > 0 ? wordParts(gone.join('\n'), change.lines.join('\n')) : undefined
    if (parts) rows.push({ kind: 'changed', code: false, parts })
    else {
      whole('removed', gone, olderCode.slice(change.from))
      whole('added', change.lines, newerCode.slice(to))
    }
    at = change.to
    to += change.lines.length
  }
  whole('same', older.slice(at), olderCode.slice(at))
  return rows
}
