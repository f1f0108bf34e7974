import { join } from 'node:path'
import type { HookToken, Shape } from '@stoa/sdk'
import { kernelHooks } from '@stoa/sdk/server'
import { describe, expect, it } from 'vitest'
import type { Tap } from '../../sdk/kernel/hooks.ts'
import { buildHook } from '../../sdk/kernel/hooks.ts'
import { webHooks } from '../../sdk/web/web-hooks.ts'
import { plugins } from '../support/plugins.ts'

type Waterfall = HookToken<never, 'waterfall'>
const isWaterfall = (value: unknown): value is Waterfall =>
  (value as Partial<Waterfall> | null)?.kind === 'hook' && (value as Waterfall).hook === 'waterfall'

/** Every waterfall that a contract or the kernel declares. */
const declared = new Map<string, Waterfall>()
const contracts = await Promise.all(
  plugins.map(({ folder }) => import(/* @vite-ignore */ join(folder, 'shared/api.ts')).catch(() => ({})) as Promise<object>),
)
for (const exported of [...contracts.flatMap((contract) => Object.values(contract)), kernelHooks, webHooks])
  for (const one of [exported, ...Object.values((exported ?? {}) as object)]) if (isWaterfall(one)) declared.set(one.id, one)

/** A value of a shape, with everything in it that may be. */
function sample(shape: Shape): unknown {
  if (typeof shape === 'string')
    return { string: 'text', number: 7, boolean: true, object: { any: 'thing' }, list: [1], any: 'thing' }[shape.replace('?', '')]
  if (Array.isArray(shape)) return [sample(shape[0])]
  const members = shape as Record<string, Shape>
  if (members['?']) return sample(members['?'])
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, sample(member)]))
}

const things: unknown[] = [null, 'text', 7, true, [null], ['text', 7], { wrong: 'member' }, () => 'function', Symbol('symbol')]

/** Values that are not of the shape: other things altogether, and good ones of which one member or item is something else, or missing. */
function wrong(shape: Shape): unknown[] {
  if (shape === 'any') return []
  if (typeof shape === 'string') {
    const kind = shape.replace('?', '')
    const fits = (thing: unknown) =>
      kind === 'list'
        ? Array.isArray(thing)
        : kind === 'object'
          ? typeof thing === 'object' && !Array.isArray(thing)
          : typeof thing === kind
    return things.filter((thing) => (thing === null ? !shape.endsWith('?') : !fits(thing)))
  }
  if (Array.isArray(shape)) return [...wrong('list'), ...wrong(shape[0]).map((item) => [sample(shape[0]), item])]
  const members = shape as Record<string, Shape>
  if (members['?']) return wrong(members['?']).filter((value) => value !== null)
  const good = sample(shape) as object
  return [
    ...wrong('object'),
    {},
    ...Object.entries(members).flatMap(([name, member]) => {
      const mayMiss = typeof member === 'string' ? /any|\?$/.test(member) : '?' in member
      return [...wrong(member), ...(mayMiss ? [] : [undefined])].map((value) => ({ ...good, [name]: value }))
    }),
  ]
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads all of it, as a tap does that relies on its type. */
function walk(value: unknown): void {
  if (typeof value === 'object') for (const part of Object.values(value as object)) walk(part)
}

it('every contract with a waterfall is looked at', () => {
  expect([...declared.keys()].sort()).toEqual([
    'answers.beforePublish',
    'experiences.beforePublish',
    'kernel.beforeMail',
    'kernel.beforeRequest',
    'kernel.structuredData',
    'kernel.switching',
    'site.beforeRender',
    'site.robots',
  ])
})

describe.each([...declared.values()])('a tap of $id that hands on something else', (token) => {
  it('is charged, and nobody else is; the owner and the next tap have the value from before it', async () => {
    const shape = token.shape as Shape
    expect(shape, 'a waterfall of a contract says of what shape its value is').toBeDefined()
    const good = () => sample(shape)
    const cases = wrong(shape)
    expect(cases.length).toBeGreaterThan(5)
    const deeds: ((value: unknown) => unknown)[] = cases.map((value) => () => value)
    // The same, done to the value itself.
    deeds.push(
      ...cases.flatMap((value) =>
        isObject(value) && isObject(good()) && Object.keys(value).length > 0
          ? [(given: unknown) => void Object.assign(given as object, value)]
          : [],
      ),
    )
    for (const deed of deeds) {
      const charged: string[] = []
      const taps: Tap[] = [
        { slug: 'wrong', order: 1, run: ([value]) => deed(value) },
        { slug: 'next', order: 2, run: ([value]) => walk(value) },
      ]
      const run = buildHook(token, taps, {
        fault: (slug, hook, error) => charged.push(`${slug} ${hook} ${(error as Error).message}`),
        slow() {},
        timeoutMs: 1000,
      })
      const value = await run(good())
      expect([value, charged]).toEqual([good(), [expect.stringMatching(/^wrong .* returned a wrong value.*: \w+ instead of \w+$/)]])
    }
  })
})
