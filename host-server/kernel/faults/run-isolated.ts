/** Calls that wait for plugin code on a stack of its own, by slug. */
const waiting = new Map<string, Set<(error: Error) => void>>()

/**
 * Runs a plugin's code on a stack of its own, in the caller's scope. Ending an endless loop there unwinds that stack without a trace;
 * what waits for it is told by `loopEnded` and goes on. The stack is a timer's: Node.js resumes a list of timers that was unwound by force,
 * of immediates it loses the rest (measured: the whole process ended).
 */
export async function runIsolated<R>(slug: string, fn: () => R): Promise<Awaited<R>> {
  const mine = waiting.get(slug) ?? new Set()
  waiting.set(slug, mine)
  let giveUp: (error: Error) => void = () => {}
  try {
    return await new Promise<Awaited<R>>((resolve, reject) => {
      giveUp = reject
      mine.add(reject)
      setTimeout(async () => {
        try {
          resolve(await fn())
        } catch (error) {
          reject(error)
        }
      }, 0)
    })
  } finally {
    mine.delete(giveUp)
    if (mine.size === 0) waiting.delete(slug)
  }
}

/** Everybody who waits for this plugin's code hears that it will not come back. */
export function loopEnded(slug: string, error: Error): void {
  for (const giveUp of [...(waiting.get(slug) ?? [])]) giveUp(error)
}
