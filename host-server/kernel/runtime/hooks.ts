import type { HookKind, HookToken } from '@stoa/sdk'
import type { Hook as TapableHook } from 'tapable'
import * as tapable from 'tapable'
import { TimedOut, withTimeout } from '../faults/with-timeout.ts'
import { scope } from './scope.ts'

// biome-ignore lint/suspicious/noExplicitAny: taps have any shape
export type TapFunction = (...args: any[]) => unknown

export interface Tap {
  slug: string
  order: number
  fn: TapFunction
}

/** Watches taps for whoever runs hooks. */
export interface TapWatch {
  fault(slug: string, hook: string, error: unknown): void
  slow(slug: string, hook: string, ms: number): void
  /** Milliseconds after which a tap counts as failed. */
  timeoutMs: number
}

const SLOW_MS = 1000

type Done = (error: unknown, result?: unknown) => void
interface Compiled {
  taps: { name: string; fn: TapFunction }[]
}

/**
 * tapable keeps its classes, its order and its `callAsync`/`promise`; only `compile` is ours: it interprets the taps,
 * because tapable's own generates code, which a strict content security policy forbids and which cannot isolate a tap.
 */
function interpreting(kind: HookKind, token: HookToken<TapFunction>, watch: TapWatch): TapableHook<unknown, unknown> {
  const Class = {
    waterfall: tapable.AsyncSeriesWaterfallHook,
    bail: tapable.AsyncSeriesBailHook,
    series: tapable.AsyncSeriesHook,
    parallel: tapable.AsyncParallelHook,
  }[kind] as unknown as new (
    args: string[],
  ) => TapableHook<unknown, unknown>
  const hook = new Class(['a', 'b', 'c', 'd', 'e', 'f'])
  const call = async (taps: Compiled['taps'], args: unknown[]): Promise<unknown> => {
    const one = async (tap: Compiled['taps'][number]): Promise<unknown> => {
      const started = performance.now()
      try {
        return await withTimeout(
          watch.timeoutMs,
          `The tap of ${tap.name} on ${token.id}`,
          scope.as(tap.name, () => tap.fn(...args)),
        )
      } catch (error) {
        if (token.onFault !== 'refuse' || error instanceof TimedOut) watch.fault(tap.name, token.id, error)
        if (token.onFault === 'refuse') throw error
        return undefined
      } finally {
        const ms = performance.now() - started
        if (ms > SLOW_MS) watch.slow(tap.name, token.id, ms)
      }
    }
    if (kind === 'parallel') {
      await Promise.all(taps.map(one))
      return undefined
    }
    for (const tap of taps) {
      const result = await one(tap)
      if (result === undefined) continue
      if (kind === 'bail') return result
      if (kind === 'waterfall') args[0] = result
    }
    return kind === 'waterfall' ? args[0] : undefined
  }
  const compilable = hook as unknown as { compile(options: Compiled & { type: string }): TapFunction }
  compilable.compile = ({ taps, type }) => {
    if (type === 'promise') return (...args) => call(taps, args)
    return (...args) => {
      const done = args.pop() as Done
      call(taps, args).then(
        (result) => done(null, result),
        (error) => done(error),
      )
    }
  }
  return hook
}

/** A hook with the taps of one plugin set. Built when first called in that set, thrown away with it. */
export function buildHook(token: HookToken<TapFunction>, taps: readonly Tap[], watch: TapWatch): (...args: unknown[]) => Promise<unknown> {
  const hook = interpreting(token.hook, token, watch)
  const ordered = taps.map((tap, index) => ({ tap, index })).sort((a, b) => a.tap.order - b.tap.order || a.index - b.index)
  const calls = hook as unknown as { tapPromise(name: string, fn: TapFunction): void; promise(...args: unknown[]): Promise<unknown> }
  for (const { tap } of ordered) calls.tapPromise(tap.slug, tap.fn)
  return (...args) => calls.promise(...args)
}
