import type { Shape, ShapeOf } from './shapes.ts'

/** How many active plugins may provide a service: another `one` conflicts, `many` are listed, the last of `at-least-one` stays on. */
type Cardinality = 'one' | 'many' | 'at-least-one'

/** Names a service. Tokens are matched by `id`, so two bundles may each carry a copy of the object. */
export interface ServiceToken<T, C extends Cardinality = Cardinality> {
  readonly kind: 'service'
  readonly id: string
  readonly cardinality: C
  readonly type?: T
}

/** A service that exactly one active plugin provides. */
export function service<T>(id: string): ServiceToken<T, 'one'> {
  return { kind: 'service', id, cardinality: 'one' }
}

/**
 * A service that any number of active plugins provide, asked for as a list.
 * @param options `atLeastOne`: the last plugin that provides it cannot be switched off
 */
export function services<T>(id: string): ServiceToken<T, 'many'>
export function services<T>(id: string, options: { atLeastOne: true }): ServiceToken<T, 'at-least-one'>
export function services<T>(id: string, options?: { atLeastOne: true }): ServiceToken<T, 'many' | 'at-least-one'> {
  return { kind: 'service', id, cardinality: options?.atLeastOne ? 'at-least-one' : 'many' }
}

export type HookKind = 'waterfall' | 'bail' | 'series' | 'parallel'

/** What a throwing tap costs: `skip` goes on without it, `refuse` fails the call (guards, vetoes). */
type OnFault = 'skip' | 'refuse'

// biome-ignore lint/suspicious/noExplicitAny: a hook is described by any function type
type AnyFunction = (...args: any[]) => unknown

/** A moment of its owner that others may join. Runs before commit, in the request of the person who acts. */
export interface HookToken<F extends AnyFunction, K extends HookKind = HookKind> {
  readonly kind: 'hook'
  readonly hook: K
  readonly id: string
  readonly onFault: OnFault
  /** Of the value that taps of a waterfall hand on. */
  readonly shape?: Shape | undefined
  readonly type?: F
}

function hook<K extends HookKind>(kind: K) {
  return <F extends AnyFunction>(id: string, options: { onFault?: OnFault } = {}): HookToken<F, K> => ({
    kind: 'hook',
    hook: kind,
    id,
    onFault: options.onFault ?? 'skip',
  })
}

/**
 * Each tap may return a new first argument; one that returns nothing has no opinion. Resolves to the last value.
 * @param options `shape`: what the argument is made of. A tap that returns something else is charged, and the value from before it goes on. Without a
 * shape it only has to be of the kind that it was: a list stays a list.
 */
export function waterfall<F extends AnyFunction>(
  id: string,
  options: { onFault?: OnFault; shape?: ShapeOf<Parameters<F>[0]> } = {},
): HookToken<F, 'waterfall'> {
  return { ...hook('waterfall')<F>(id, options), shape: options.shape as Shape | undefined }
}
/** The first tap that returns something decides; resolves to that, or `undefined`. */
export const bail = hook('bail')
/** Taps run one after another; results are ignored. */
export const series = hook('series')
/** Taps run together; results are ignored. */
export const parallel = hook('parallel')

/** What happens to a subscription while its plugin is off: its cursor waits, it is told to rebuild, or events are lost to it. */
export type WhileOff = 'replay' | 'resync' | 'skip'

/** Something that happened: stored in the outbox of the same transaction, delivered at least once after commit. */
export interface EventToken<P> {
  readonly kind: 'event'
  readonly id: string
  readonly whileOff: WhileOff
  readonly type?: P
}

export function event<P>(id: string, options: { whileOff?: WhileOff } = {}): EventToken<P> {
  return { kind: 'event', id, whileOff: options.whileOff ?? 'replay' }
}

/** Something that open tabs are told at once, at most once: never the truth, only that there is something new. */
export interface LiveToken<P> {
  readonly kind: 'live'
  readonly id: string
  readonly type?: P
}

export function live<P>(id: string): LiveToken<P> {
  return { kind: 'live', id }
}

/** Work done later by the job runner; survives a restart, may run twice. */
export interface JobToken<P> {
  readonly kind: 'job'
  readonly id: string
  readonly type?: P
}

export function job<P>(id: string): JobToken<P> {
  return { kind: 'job', id }
}

/** A named read function of some plugin's `reads` entry. */
export interface ReadToken<P, R> {
  readonly kind: 'read'
  readonly id: string
  readonly type?: (params: P) => R
}

export function read<P, R>(id: string): ReadToken<P, R> {
  return { kind: 'read', id }
}

/** A list that others fill: called once per page of items and plugin, never once per item. */
export interface DecoratorToken<I> {
  readonly kind: 'decorator'
  readonly id: string
  readonly type?: I
}

export function decorator<I>(id: string): DecoratorToken<I> {
  return { kind: 'decorator', id }
}

/** A place where others narrow a list: each answers with a SQL sub-query of ids, or nothing. */
export interface FilterToken<P> {
  readonly kind: 'filter'
  readonly id: string
  readonly type?: P
}

export function filter<P>(id: string): FilterToken<P> {
  return { kind: 'filter', id }
}

/** How many contributions a slot shows: the first one, or all in their order. */
type SlotCardinality = 'one' | 'many'

/** A place in a page that other plugins fill with components; `P` is what each of them is given. */
export interface SlotToken<P extends object, C extends SlotCardinality = SlotCardinality> {
  readonly kind: 'slot'
  readonly id: string
  readonly cardinality: C
  /** Ids under which it was known before; who fills one of those fills this. */
  readonly was: readonly string[]
  readonly type?: P
}

const slotOf =
  <C extends SlotCardinality>(cardinality: C) =>
  <P extends object = {}>(id: string, options: { was?: readonly string[] } = {}): SlotToken<P, C> => ({
    kind: 'slot',
    id,
    cardinality,
    was: options.was ?? [],
  })

/** A place that one plugin fills, such as an editor: of several, the first in order is shown. */
export const slot = slotOf('one')
/** A place that any number of plugins fill. */
export const slots = slotOf('many')

/** What the components in a slot are given: `PropsOf<typeof postSlots.footer>`. */
export type PropsOf<T> = T extends SlotToken<infer P> ? P : never
