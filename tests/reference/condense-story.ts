/**
 * Writes `story.json` from a folder of recorded replies: `node tests/reference/condense-story.ts <folder>`. Keeps what is a fact of the protocol —
 * who asked what, status, reason, names and JSON types of the reply — and none of its texts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shape } from './shape.ts'
import type { Step } from './story.ts'

interface Recorded {
  step: string
  as: string
  operation: string
  request?: Step['request']
  status: number
  reply: { reason: string; data: unknown } | string
  want?: { status: number | string }
  loose?: boolean
}

const folder = process.argv[2] as string
const read = (file: string): Recorded[] => (JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as { steps: Recorded[] }).steps

/** The story in its order: a file, or a part of it by the names of its first and last step. What was played once is not played again. */
const order: [file: string, from?: string, to?: string][] = [
  ['install'],
  ['site'],
  ['accounts', 'me-visitor', 'me-active'],
  ['admin-users', 'users-add-visitor', 'activation-send-unknown'],
  ['accounts', 'login-ana', 'admin-as-member'],
  ['admin-privileges'],
  ['tags'],
  ['admin-write'],
  ['experiences'],
  ['answers'],
  ['comments'],
  ['votes-follows-collections'],
  ['revisions-review-report'],
  ['search'],
  ['users'],
  ['notifications'],
  ['timeline'],
  ['badges'],
  ['uploads'],
  ['plugins'],
  ['accounts', 'profile-put-visitor', 'others-votes'],
  ['admin-content'],
  ['admin-users'],
  ['admin-settings'],
  ['accounts'],
]

const played = new Set<string>()
const story = order.flatMap(([file, from, to]) => {
  const all = read(file)
  const at = (name: string | undefined, otherwise: number) => (name === undefined ? otherwise : all.findIndex(({ step }) => step === name))
  const part = all.slice(at(from, 0), at(to, all.length - 1) + 1).map((step) => ({ ...step, step: `${file}/${step.step}` }))
  const fresh = part.filter(({ step }) => !played.has(step))
  for (const { step } of fresh) played.add(step)
  return fresh
})

const volatile: Record<string, Shape> = { '<time>': 'integer', '<port>': 'integer', '<tree>': 'any' }

function shapeOf(value: unknown): Shape {
  if (value === null) return 'null'
  if (typeof value === 'string') return volatile[value] ?? 'string'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return { list: value.length === 0 ? 'any' : value.map(shapeOf).reduce(merge) }
  return { object: Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])) }
}

/** The shape of both, for elements of one list. */
function merge(a: Shape, b: Shape): Shape {
  if (JSON.stringify(a) === JSON.stringify(b) || b === 'any') return a
  if (a === 'any') return b
  if (typeof a === 'object' && typeof b === 'object') {
    if ('list' in a && 'list' in b) return { list: merge(a.list, b.list) }
    if ('object' in a && 'object' in b) return { object: mergeMembers(a.object, b.object) }
  }
  return { or: [a, b] }
}

function mergeMembers(a: Record<string, Shape>, b: Record<string, Shape>): Record<string, Shape> {
  const plain = (key: string) => key.replace(/\?$/, '')
  const of = (shape: Record<string, Shape>, name: string) => shape[name] ?? shape[`${name}?`]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)].map(plain))]
  return Object.fromEntries(
    names.map((name) => {
      const [inA, inB] = [of(a, name), of(b, name)]
      const isAlways = a[name] !== undefined && b[name] !== undefined
      return [isAlways ? name : `${name}?`, inA && inB ? merge(inA, inB) : ((inA ?? inB) as Shape)]
    }),
  )
}

const isFieldList = (data: unknown): data is { error_field: string }[] =>
  Array.isArray(data) && data.length > 0 && data.every((entry) => typeof entry?.error_field === 'string')

const needed = new Set(JSON.stringify(story.map(({ request }) => request)).match(/<(id:\w+|short:badge)#\d+>/g))
const known = new Set<string>()

/** Where ids that later requests name stand first; those of people are their running numbers. */
function idsIn(data: unknown, path = ''): [path: string, id: string][] {
  if (typeof data === 'string') return needed.has(data) && !data.startsWith('<id:user') && !known.has(data) && known.add(data) ? [[path, data]] : []
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([key, inner]) => idsIn(inner, path ? `${path}.${key}` : key))
}

/** Each shape once; steps name them by their place. */
const shapes: Shape[] = []
const placeOf = (shape: Shape): number => {
  const text = JSON.stringify(shape)
  const place = shapes.findIndex((known) => JSON.stringify(known) === text)
  return place < 0 ? shapes.push(shape) - 1 : place
}

const steps = story
  .filter(({ status }) => status > 0)
  .map(({ step, as, operation, request, status, reply, want, loose }): Step => {
    const { reason, data } = reply as { reason: string; data: unknown }
    const learns = idsIn(data)
    return {
      step,
      as,
      call: operation,
      ...(request && Object.keys(request).length > 0 && { request }),
      status,
      reason,
      ...(isFieldList(data) ? { fields: data.map((entry) => entry.error_field.split(',', 1)[0] as string) } : { reply: placeOf(shapeOf(data)) }),
      ...(want && { want: want.status }),
      ...(loose && { loose }),
      ...(learns.length > 0 && { learns: Object.fromEntries(learns) }),
    }
  })

const lines = (values: unknown[]) => values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')
writeFileSync(join(import.meta.dirname, 'story.json'), `{\n  "shapes": [\n${lines(shapes)}\n  ],\n  "steps": [\n${lines(steps)}\n  ]\n}\n`)
