/** Lines `from` (counted from 0) to before `to` of the first list are replaced by `lines`. */
export interface LineChange {
  from: number
  to: number
  lines: string[]
}

/** Lines in a row that both lists have, or one of them, as `diffArrays` of the package diff gives them. */
export interface LineRun {
  added?: boolean
  removed?: boolean
  value: string[]
}

/**
 * Bounds of a comparison by lines: so many insertions and deletions are looked for, and for so many milliseconds, before two texts count as unlike.
 * Work grows with the square of the first.
 */
export const lineBounds = { maxEditLength: 1500, timeout: 300 }

/** What makes one list of another, in order. */
export function changesOf(runs: readonly LineRun[]): LineChange[] {
  const changes: LineChange[] = []
  let at = 0
  let open: LineChange | undefined
  for (const { added, removed, value } of runs) {
    if (!added && !removed) {
      at += value.length
      open = undefined
      continue
    }
    if (!open) {
      open = { from: at, to: at, lines: [] }
      changes.push(open)
    }
    if (added) open.lines.push(...value)
    else {
      at += value.length
      open.to = at
    }
  }
  return changes
}
