/** What heat is made of. Times in unix seconds. */
export interface Heat {
  views: number
  answers: number
  votes: number
  /** Sum of the votes of its answers. */
  answerVotes: number
  createdAt: number
  /** Last edit or answer; `createdAt` when there was none. */
  updatedAt: number
}

/** Posts older than this are cold. */
export const hotDays = 90

/**
 * Heat of a post, for the `hot` order: whole number, 0 or more, higher is hotter.
 * Source: behaviour reference, "Hot score". Views count from 1, since the logarithm of none would be minus infinity.
 */
export function hotScore(heat: Heat, now: number): number {
  const hours = (since: number) => Math.max(0, Math.floor((now - since) / 3600))
  const age = hours(heat.createdAt)
  const idle = hours(Math.max(heat.updatedAt, heat.createdAt))
  const worth = 4 * Math.log(Math.max(1, heat.views)) + (heat.answers * heat.votes) / 5 + heat.answerVotes
  const raw = worth / (age + 1 - (age - idle) / 2) ** 1.5
  return Math.ceil(10_000 * Math.max(0, raw))
}
