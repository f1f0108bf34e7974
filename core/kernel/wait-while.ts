import { use } from 'react'

/** Marked as React marks promises that it has seen resolved. */
const READY = Object.assign(Promise.resolve(), { status: 'fulfilled' as const, value: undefined })

/**
 * Suspends a component until nothing is left to wait for. `use` is called in either case: a retry that leaves it out, because everything is
 * there by now, puts React's count of hooks out of step (its error 467). A retry takes its first `use` for the first of the attempt before:
 * where that was for something else, which is there by now, `use` returns at once, and only a thrown promise waits.
 * @param waiting what there is to wait for, undefined when it is there
 */
export function waitWhile(waiting: () => Promise<unknown> | undefined): void {
  const promise = waiting()
  use<unknown>(promise ?? READY)
  const still = promise && waiting()
  if (still) throw still
}
