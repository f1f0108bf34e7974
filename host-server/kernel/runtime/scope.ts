import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestInfo } from '@stoa/sdk/server'
import type { Timing } from '../../shared/measuring.ts'
import type { View } from './view.ts'

/** What the code that runs now belongs to: carried through every await, timer and emitter. */
export interface Scope {
  /** Plugin whose code runs; `kernel` for ours. */
  readonly slug: string
  readonly request: RequestInfo | null
  /** Plugin set this request, job or event began with; look-ups stay inside it until it ends. */
  readonly view: View | null
  /** Set off by the plugin itself (start, timers), not by what a visitor did. */
  readonly own?: boolean
  /** Where the time of the request goes, when somebody wants to know. */
  readonly timing?: Timing | undefined
}

const storage = new AsyncLocalStorage<Scope>()
const outside: Scope = { slug: 'kernel', request: null, view: null }

export const scope = {
  current: (): Scope => storage.getStore() ?? outside,
  run: <R>(next: Scope, fn: () => R): R => storage.run(next, fn),
  /** Runs `fn` charged to another plugin, in the same request and view. */
  as<R>(slug: string, fn: () => R): R {
    const now = scope.current()
    return now.slug === slug ? fn() : storage.run({ ...now, slug }, fn)
  },
}
