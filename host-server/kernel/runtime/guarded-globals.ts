import timers from 'node:timers'

/** What a bundle sees under the names of globals, and the way to end what it started with them. */
export interface GuardedGlobals {
  values: Record<string, unknown>
  /** In place of `node:` modules that offer the same. */
  modules: Record<string, unknown>
  /** Clears timers that still run, takes listeners off the process. */
  dispose(): void
}

type Listener = (...args: unknown[]) => void
type OnFault = (kind: 'timer' | 'exit', where: string, error: unknown) => void

const LISTENING = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'])

/**
 * Timers that end with the plugin and keep their errors to it, and a process that it cannot end.
 * Catches honest mistakes; `globalThis.process` is still the real one, so malice is not stopped.
 */
export function guardedGlobals(slug: string, onFault: OnFault): GuardedGlobals {
  const running = new Map<unknown, (handle: never) => void>()
  const listeners: [event: string | symbol, fn: Listener][] = []

  /** An immediate is a timer without delay: immediates do not outlive a loop that is ended in one of them, see `runIsolated`. */
  function starting(where: 'setTimeout' | 'setInterval' | 'setImmediate', clear: (handle: never) => void) {
    const real = timers[where]
    const begin = (where === 'setInterval' ? timers.setInterval : timers.setTimeout) as (fn: () => void, ms?: number) => unknown
    const start = (fn: Listener, ...rest: unknown[]) => {
      const [ms, ...args] = where === 'setImmediate' ? [0, ...rest] : rest
      const handle = begin(() => {
        if (where !== 'setInterval') running.delete(handle)
        try {
          fn(...args)
        } catch (error) {
          onFault('timer', where, error)
        }
      }, ms as number)
      running.set(handle, clear)
      return handle
    }
    // `util.promisify` looks for a symbol on the real one.
    return Object.defineProperties(start, Object.getOwnPropertyDescriptors(real))
  }
  const clearing = (clear: (handle: never) => void) => (handle: unknown) => {
    running.delete(handle)
    clear(handle as never)
  }

  const refuse = (name: string) => (): never => {
    const error = new Error(`${slug} called process.${name}, which would end the whole site; a plugin ends by being switched off`)
    onFault('exit', `process.${name}`, error)
    throw error
  }
  const kill = (pid: number, signal?: string | number): true => {
    if (signal === 0 || ![process.pid, -process.pid, process.ppid, 0, -1].includes(pid)) return process.kill(pid, signal)
    return refuse('kill')()
  }
  const own: Record<string | symbol, unknown> = { exit: refuse('exit'), reallyExit: refuse('reallyExit'), abort: refuse('abort'), kill }
  for (const name of LISTENING) {
    own[name] = (event: string | symbol, fn: Listener) => {
      listeners.push([event, fn])
      ;(process as unknown as Record<string, (event: string | symbol, fn: Listener) => void>)[name]?.(event, fn)
      return guarded
    }
  }
  const guarded: object = new Proxy(process, { get: (target, name) => (name in own ? own[name] : Reflect.get(target, name)) })

  const clocks = {
    setTimeout: starting('setTimeout', timers.clearTimeout),
    setInterval: starting('setInterval', timers.clearInterval),
    setImmediate: starting('setImmediate', timers.clearTimeout),
    clearTimeout: clearing(timers.clearTimeout),
    clearInterval: clearing(timers.clearInterval),
    clearImmediate: clearing(timers.clearTimeout),
  }
  return {
    values: { process: guarded, ...clocks },
    modules: { 'node:process': guarded, 'node:timers': { ...timers, ...clocks } },
    dispose() {
      for (const [handle, clear] of running) clear(handle as never)
      running.clear()
      for (const [event, fn] of listeners.splice(0)) process.removeListener(event, fn)
    },
  }
}

/** For code that ends with its process: the globals as they are. */
export const unguarded: GuardedGlobals = { values: {}, modules: {}, dispose: () => {} }
