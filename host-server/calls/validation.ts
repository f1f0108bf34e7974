import type { CodedError } from '@stoa/sdk'
import { baseErrors } from '@stoa/sdk'
import type { ErrorObject } from 'ajv'
import type { FastifyServerOptions } from 'fastify'
import type { Check } from './judged.ts'
import { compiler } from './judged.ts'

/**
 * One pair of compilers per plugin version: a shared one would keep the schemas of every version that ever ran (measured: 15 KB a swap). Given when an
 * instance is made, or fastify loads its own first.
 */
export function schemaCompilers(): FastifyServerOptions['schemaController'] {
  const strict = compiler({ useDefaults: true })
  const coercing = compiler({ useDefaults: true, coerceTypes: 'array' })
  const validator = ({ schema, httpPart }: { schema: object; httpPart: string }) => {
    const known = (schema as Schema).properties ?? {}
    if (httpPart === 'querystring')
      return after(coercing(bounded(schema, HIGHEST)), (query) => {
        readAsOthers(query, known)
        leaveOut(query, known, isLeftOutOfQuery)
      })
    const exact = bounded(schema, Number.MAX_SAFE_INTEGER)
    if (httpPart !== 'body') return after(coercing(exact))
    const lists = ((schema as Schema).required ?? []).filter((name) => known[name]?.type === 'array')
    return after(strict(exact), (body) => {
      fillLists(body, lists)
      leaveOut(body, known, isLeftOutOfBody)
    })
  }
  return { compilersFactory: { buildValidator: () => validator as never, buildSerializer: () => () => JSON.stringify } }
}

/** Pages and sizes beyond this are refused: the product of two must stay a number that databases take. */
const HIGHEST = 1_000_000_000

/** A schema whose integers, at any depth, lie between `-highest` and `highest` where it says nothing itself. */
function bounded<T>(schema: T, highest: number): T {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((item) => bounded(item, highest)) as T
  const inner = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, bounded(part, highest)]))
  return (inner.type === 'integer' ? { minimum: -highest, maximum: highest, ...inner } : inner) as T
}

interface Schema {
  type?: string
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}

/** Other ways to write a boolean that servers of the protocol read. */
const BOOLEANS = new Map([
  ...['1', 't', 'T', 'True', 'TRUE'].map((text) => [text, 'true'] as const),
  ...['0', 'f', 'F', 'False', 'FALSE'].map((text) => [text, 'false'] as const),
])

/** Of a parameter that comes twice the first counts, and booleans may be written as other languages print them. */
function readAsOthers(query: unknown, known: Record<string, Schema>): void {
  const members = query as Record<string, unknown>
  for (const [name, { type, enum: values }] of Object.entries(known)) {
    const value = members[name]
    if (value === undefined || type === 'array' || (type ?? values) === undefined) continue
    const first: unknown = Array.isArray(value) ? value[0] : value
    members[name] = type === 'boolean' ? (BOOLEANS.get(String(first)) ?? first) : first
  }
}

/** Clients of the protocol send what they leave out as null, as an empty parameter, or as 0 where counting begins at 1. */
function leaveOut(data: unknown, known: Record<string, Schema>, isLeftOut: (value: unknown, schema: Schema) => boolean): void {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return
  const members = data as Record<string, unknown>
  for (const [name, schema] of Object.entries(known)) if (isLeftOut(members[name], schema)) delete members[name]
}

/** Clients in Go write an empty list as null: where a list is demanded, that is what they send. */
function fillLists(body: unknown, lists: readonly string[]): void {
  if (typeof body !== 'object' || body === null) return
  const members = body as Record<string, unknown>
  for (const name of lists) if (members[name] === null) members[name] = []
}

const isLeftOutOfBody = (value: unknown, schema: Schema) => value === null && !takesNull(schema)
const isLeftOutOfQuery = (value: unknown, schema: Schema) =>
  value === '' || (value === '0' && schema.type === 'integer' && schema.minimum === 1)

function takesNull({ type, anyOf, enum: values, const: only }: Schema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  return type === 'null' || only === null || (type === undefined && values === undefined && only === undefined)
}

function after(validate: Check, prepare?: (data: unknown) => void): Check {
  const check: Check = (data) => {
    prepare?.(data)
    if (!isReadable(data)) {
      check.errors = [unreadable]
      return false
    }
    const isValid = validate(data)
    check.errors = validate.errors
    return isValid
  }
  return check
}

const DEEPEST = 64
const unreadable: ErrorObject = { instancePath: '', schemaPath: '', keyword: 'type', params: {} }

/** No form nests deeply, and nobody types character 0, which is text to JSON and SQLite but none to PostgreSQL. */
function isReadable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return depth < DEEPEST && Object.values(value).every((inner) => isReadable(inner, depth + 1))
}

const messages: Record<string, string> = {
  required: 'validation.required',
  minLength: 'validation.min_length',
  maxLength: 'validation.max_length',
  pattern: 'validation.pattern',
  enum: 'validation.enum',
  const: 'validation.enum',
  anyOf: 'validation.enum',
  format: 'validation.format',
  minimum: 'validation.minimum',
  exclusiveMinimum: 'validation.minimum',
  maximum: 'validation.maximum',
  minItems: 'validation.min_items',
  maxItems: 'validation.max_items',
}

/** Text key of what is wrong with a value. */
export function messageKey({ keyword, params }: ErrorObject): string {
  const isEmpty = keyword === 'minLength' && (params as { limit?: unknown }).limit === 1
  return isEmpty ? 'validation.required' : (messages[keyword] ?? 'validation.type')
}

/**
 * Validation failures as the protocol's form error: one entry per field, its message a text key. A member of another JSON type is no mistake of
 * somebody who fills in a form, so the request as a whole is refused, as the protocol has it.
 */
export function formError(errors: readonly ErrorObject[]): CodedError {
  const fields = new Map<string, { error_field: string; error_msg: string; params: { limit: unknown } }>()
  for (const error of errors) {
    const path = error.instancePath.split('/')
    const field = path[1] || (error.keyword === 'required' ? String((error.params as { missingProperty: string }).missingProperty) : '')
    if (error.keyword === 'type' && path.length <= 2 && !error.schemaPath.includes('/anyOf/'))
      return baseErrors.request_format_error({ detail: `${field || 'body'}: type` })
    if (!field || fields.has(field)) continue
    const { limit } = error.params as { limit?: unknown }
    fields.set(field, { error_field: field, error_msg: messageKey(error), params: { limit } })
  }
  const list = [...fields.values()]
  const detail = list.map((entry) => entry.error_field).join(', ') || 'body'
  if (list.length === 0) return baseErrors.request_format_error({ detail })
  return baseErrors.request_format_error({ detail }, list)
}
