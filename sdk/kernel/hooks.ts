/// <reference path="./tapable.d.ts" />
import AsyncParallelHook from 'tapable/lib/AsyncParallelHook.js'
import AsyncSeriesBailHook from 'tapable/lib/AsyncSeriesBailHook.js'
import AsyncSeriesHook from 'tapable/lib/AsyncSeriesHook.js'
import AsyncSeriesWaterfallHook from 'tapable/lib/AsyncSeriesWaterfallHook.js'
import type { Shape } from '../shared/shapes.ts'
import type { HookKind, HookToken } from '../shared/tokens.ts'
import { Clock, TimedOut } from './clock.ts'
import { kindOf, misfit } from './misfit.ts'

export interface Tap {
  slug: string
  /** Lower runs earlier; of equals, the one that comes first. */
  order: number
  /** Whether it has anything to do for this first argument; asked before each run, so it must be quick. Absent: always. */
  when?: ((first: unknown) => boolean) | undefined
  /** Runs it on behalf of its plugin. */
  run(args: unknown[], clock: Clock): unknown
}

/** Watches taps for whoever runs hooks. */
export interface TapWatch {
  fault(slug: string, hook: string, error: unknown): void
  slow(slug: string, hook: string, ms: number): void
  /** Milliseconds after which a tap counts as failed. */
  timeoutMs: number
}

/** Of a token, what decides how its taps are run. */
type AnyHook = Pick<HookToken<never>, 'id' | 'hook' | 'onFault' | 'shape'>

const SLOW_MS = 1000

const classes: Record<HookKind, TapableClass> = {
  waterfall: AsyncSeriesWaterfallHook,
  bail: AsyncSeriesBailHook,
  series: AsyncSeriesHook,
  parallel: AsyncParallelHook,
}

interface CompiledTap {
  name: string
  when: Tap['when']
  fn: Tap['run']
}

/** Whether any of the taps would run: without one there is nothing to build or to wait for. One that cannot say would, and is charged then. */
export function isWanted(taps: readonly Pick<Tap, 'when'>[], first: unknown): boolean {
  return taps.some(({ when }) => {
    try {
      return !when || when(first)
    } catch {
      return true
    }
  })
}

/**
 * A hook with the taps of one plugin set, for server and browser. tapable keeps its classes, its order and its `promise`; only `compile` is
 * ours: it interprets the taps, because tapable's own generates code, which a strict content security policy forbids and which cannot
 * isolate a tap.
 */
export function buildHook(token: AnyHook, taps: readonly Tap[], watch: TapWatch): (...args: unknown[]) => Promise<unknown> {
  const hook = Object.assign(new classes[token.hook](['first', 'second', 'third', 'fourth', 'fifth', 'sixth']), { token, watch })
  hook.compile = compile
  for (const { slug, order, when, run } of taps) hook.tapPromise({ name: slug, stage: order, when }, run)
  return (...args) => hook.promise(...args)
}

/** The same function for all hooks: one of each hook's own would keep what it knows in V8's old generation (decision 0048). */
function compile(this: { token: AnyHook; watch: TapWatch }, { taps }: { taps: unknown[] }): (...args: unknown[]) => Promise<unknown> {
  const { token, watch } = this
  return (...args) => interpret(token, taps as CompiledTap[], args, watch)
}

async function interpret(token: AnyHook, taps: CompiledTap[], args: unknown[], watch: TapWatch): Promise<unknown> {
  const one = async ({ name, when, fn }: CompiledTap): Promise<unknown> => {
    const clock = new Clock()
    try {
      if (when && !when(args[0])) return undefined
      const work = fn(args, clock)
      return work instanceof Promise ? await clock.within(watch.timeoutMs, `The tap of ${name} on ${token.id}`, work) : work
    } catch (error) {
      if (token.onFault !== 'refuse' || error instanceof TimedOut) watch.fault(name, token.id, error)
      if (token.onFault === 'refuse') throw error
      return undefined
    } finally {
      const { ms } = clock
      if (ms > SLOW_MS) watch.slow(name, token.id, ms)
    }
  }
  if (token.hook === 'parallel') {
    await Promise.all(taps.map(one))
    return undefined
  }
  if (token.hook === 'waterfall') {
    for (const tap of taps) {
      const before = copyOf(args[0])
      const result = await one(tap)
      if (result !== undefined) args[0] = result
      const wrong = wrongOf(args[0], before, token.shape)
      if (wrong === undefined) continue
      const error = new TypeError(`The tap of ${tap.name} on ${token.id} returned a wrong value${wrong}`)
      // Its stack is that of the owner, who is charged for what has happened there.
      watch.fault(tap.name, token.id, Object.assign(error, { stack: '' }))
      args[0] = before
    }
    return args[0]
  }
  for (const tap of taps) {
    const result = await one(tap)
    if (result !== undefined && token.hook === 'bail') return result
  }
  return undefined
}

/** A tap may have changed the value itself, and returned it or nothing. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...value]
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype ? { ...value } : value
}

/** What is wrong with a value that a tap has handed on; nothing where the owner's own was no better. */
function wrongOf(value: unknown, before: unknown, shape: Shape | undefined): string | undefined {
  if (shape !== undefined) {
    const wrong = misfit(value, shape)
    return wrong !== undefined && misfit(before, shape) === undefined ? wrong : undefined
  }
  if (before === undefined || before === null) return undefined
  return kindOf(value) === kindOf(before) ? undefined : `: ${kindOf(value)} instead of ${kindOf(before)}`
}
