import type { FaultBook } from './fault-book.ts'

/** More frames than V8 keeps by default: the plugin's is often below those of the database driver. */
const STACK_FRAMES = 25

/** Errors that nobody caught are charged to whose code threw them, and the process goes on. @returns what ends it */
export function watchProcess(faults: FaultBook): () => void {
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, STACK_FRAMES)
  const onException = (error: unknown) => faults.uncaught('exception', error)
  const onRejection = (error: unknown) => faults.uncaught('rejection', error)
  process.on('uncaughtException', onException)
  process.on('unhandledRejection', onRejection)
  return () => {
    process.off('uncaughtException', onException)
    process.off('unhandledRejection', onRejection)
  }
}
