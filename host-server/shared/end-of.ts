/** Resolves when work has ended, whichever way, or after so many milliseconds. */
export async function endOf(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  work.then(resolve as () => void, resolve)
  await promise
  clearTimeout(timer)
}
