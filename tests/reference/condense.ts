/**
 * `node tests/reference/condense.ts <openapi.json>` writes `protocol.json`: of the description of the protocol what a test can compare,
 * paths, parameters, names and JSON types, without its prose.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Shape } from './shape.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  const?: unknown
  enum?: unknown[]
}
interface Operation {
  'x-auth': string
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const document = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as Document

function shapeOf(schema: Schema, seen: string[] = []): Shape {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) as string
    const target = document.components.schemas[name]
    return target && !seen.includes(name) ? shapeOf(target, [...seen, name]) : 'any'
  }
  if (schema.anyOf) return oneOf(schema.anyOf.map((option) => shapeOf(option, seen)))
  if (schema.allOf) return { object: Object.assign({}, ...schema.allOf.map((part) => membersOf(shapeOf(part, seen)))) }
  if (schema.const !== undefined) return typeof schema.const === 'number' ? 'integer' : typeof schema.const
  if (schema.type === undefined && schema.enum) return typeof schema.enum[0]
  if (Array.isArray(schema.type)) return oneOf(schema.type.map((type) => shapeOf({ ...schema, type }, seen)))
  if (schema.type === 'array') return { list: schema.items ? shapeOf(schema.items, seen) : 'any' }
  if (schema.type !== 'object') return schema.type ?? 'any'
  if (!schema.properties) return 'object'
  const required = new Set(schema.required)
  return {
    object: Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [required.has(key) ? key : `${key}?`, shapeOf(value, seen)]),
    ),
  }
}

function oneOf(shapes: Shape[]): Shape {
  const distinct = shapes.filter((shape, index) => shapes.findIndex((other) => JSON.stringify(other) === JSON.stringify(shape)) === index)
  return distinct.length === 1 ? (distinct[0] as Shape) : { or: distinct }
}

const membersOf = (shape: Shape): Record<string, Shape> => (typeof shape === 'object' && 'object' in shape ? shape.object : {})

function call(operation: Operation): Call {
  const of = (place: string) => (operation.parameters ?? []).filter((parameter) => parameter.in === place)
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const content = operation.responses[200]?.content ?? {}
  const envelope = content['application/json']?.schema.properties?.data
  return {
    who: operation['x-auth'],
    query: of('query').map(({ name, required }) => (required ? name : `${name}?`)),
    ...(body ? { body: shapeOf(body) } : {}),
    ...(envelope ? { reply: shapeOf(envelope) } : {}),
  }
}

const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, operation]) => operation.responses)
    .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, call(operation)] as const),
)
const sorted = Object.fromEntries(calls.sort(([a], [b]) => (a < b ? -1 : 1)))
const lines = Object.entries(sorted).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
writeFileSync(join(import.meta.dirname, 'protocol.json'), `{\n${lines.join(',\n')}\n}\n`)
