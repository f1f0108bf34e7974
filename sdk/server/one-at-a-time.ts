/**
 * Work of which one run at a time is enough: who calls while one goes on waits for that one, and for how it ends. For what looks for its own work and does
 * all of it, such as a pass over what is left to do; who needs what came after the run began calls again.
 */
export function oneAtATime<R>(work: () => Promise<R>): () => Promise<R> {
  let running: Promise<R> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
