import { TimedOut } from '../../../sdk/kernel/clock.ts'

export { TimedOut }

/** Waits for `work` no longer than `ms` milliseconds. @throws TimedOut, which names `what` */
export function withTimeout<T>(ms: number, what: string, work: T | Promise<T>): Promise<T> {
  if (!(work instanceof Promise)) return Promise.resolve(work)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(`${what} took longer than ${ms / 1000} s`)), ms)
    timer.unref()
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
