/** Tries before a job is given up or an event is passed over. */
export const MAX_ATTEMPTS = 10

const seconds = [1, 5, 30, 120]

/** Seconds to wait after the given number of failed attempts, 1 or more. */
export const backoffSeconds = (attempts: number): number => seconds[attempts - 1] ?? 600

/** Where detached code of a plugin failed. */
export interface Fault {
  slug: string
  kind: 'event' | 'job' | 'timer'
  name: string
  error: unknown
}

/** Real time in whole seconds, for leases: the site's clock may be a test's. */
export const clockSeconds = (): number => Math.floor(Date.now() / 1000)
