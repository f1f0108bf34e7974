/** Ids that contain one term, newest first, at most as many as were asked for. */
export interface TermHits {
  inTitle: readonly number[]
  anywhere: readonly number[]
  /** How telling the term is: rare terms weigh more. */
  weight: number
}

export interface RankedFacts {
  id: number
  votes: number
  accepted: number
}

const TITLE = 2
const ANYWHERE = 1

/**
 * Score of each candidate by its text alone. A result with more of the terms comes before one with fewer.
 * @param together ids that contain every term, found beyond the newest of each term
 * @param titlesMatch a term in the title is enough to be a result; otherwise it only lifts results
 */
export function textScores(
  terms: readonly TermHits[],
  together: readonly number[],
  { titlesMatch }: { titlesMatch: boolean },
): Map<number, number> {
  const scores = new Map<number, number>()
  const matched = new Map<number, number>()
  const add = (id: number, value: number) => scores.set(id, (scores.get(id) ?? 0) + value)
  const count = (id: number) => matched.set(id, (matched.get(id) ?? 0) + 1)
  const whole = terms.reduce((sum, term) => sum + term.weight * ANYWHERE, 0)
  for (const id of together) {
    scores.set(id, whole)
    matched.set(id, terms.length)
  }
  const counted = new Set(together)
  for (const { anywhere, weight } of terms) {
    for (const id of anywhere) {
      if (counted.has(id)) continue
      add(id, weight * ANYWHERE)
      count(id)
    }
  }
  for (const { anywhere, inTitle, weight } of terms) {
    const known = new Set(anywhere)
    for (const id of inTitle) {
      if (!titlesMatch && !scores.has(id)) continue
      // What stands in the title stands in the text: among older ones the first list has not counted it.
      if (!known.has(id) && !counted.has(id)) {
        add(id, weight * ANYWHERE)
        count(id)
      }
      add(id, weight * TITLE)
    }
  }
  for (const [id, score] of scores) scores.set(id, score * ((matched.get(id) ?? 1) / terms.length))
  return scores
}

/** Best first; among equals the newer. */
export function byScore(scores: ReadonlyMap<number, number>): number[] {
  return [...scores.keys()].sort((a, b) => (scores.get(b) as number) - (scores.get(a) as number) || b - a)
}

/** What readers thought of it counts a little: ten votes are worth half a title match of a common word. */
export function withVotes(score: number, { votes, accepted }: RankedFacts): number {
  return score + 0.3 * Math.log2(1 + Math.max(0, votes)) - (votes < 0 ? 0.5 : 0) + (accepted ? 0.2 : 0)
}
