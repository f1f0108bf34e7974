import { TimedOut } from '../../../sdk/kernel/clock.ts'

export { TimedOut }

/** Waits for `work` no longer than `ms` milliseconds. @throws TimedOut, which names `what` */
export async function withTimeout<T>(ms: number, what: string, work: T | Promise<T>): Promise<T> {
  if (!(work instanceof Promise)) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(`${what} took longer than ${ms / 1000} s`)), ms)
    timer.unref()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
