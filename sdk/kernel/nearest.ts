/** How many letters have to be put in, taken out or changed to make one text of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[other.length] as number
}

/** The known name that somebody probably meant; undefined where none is near: more than a third of it would have to change. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const asked = name.toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const steps = distance(asked, candidate.toLowerCase())
    if (steps < least) [best, least] = [candidate, steps]
  }
  return best
}

/** ` Did you mean "x"?`, or nothing. */
export function meant(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? '' : ` Did you mean ${near}?`
}
