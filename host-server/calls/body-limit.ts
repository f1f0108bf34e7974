import type { TSchema } from '@stoa/sdk/schema'

/** Beside what the schema has: other members that clients of the protocol send along. */
const ROOM = 16 * 1024
/** A character in JSON at most: a pair of escapes, `\ud83d\ude00`. */
const CHARACTER = 12
/** A number or a word, or the name and marks of a member. */
const MEMBER = 64
const MOST = 1024 * 1024
/** A text without `maxLength` and a list without `maxItems`, where everybody may call. */
const OPEN_UNBOUNDED = 32 * 1024

/**
 * Bytes of body that a call reads where it does not say so itself: parsing keeps everybody waiting, so junk must not be large.
 * @param isOpen visitors may call
 */
export const bodyLimitOf = (body: TSchema | undefined, isOpen: boolean): number =>
  Math.min(MOST, ROOM + (body ? sizeOf(body, isOpen ? OPEN_UNBOUNDED : MOST) : 0))

/**
 * Says whether JSON has more values than one for every {@link MEMBER} bytes of its limit, without parsing it: an object of 90,000 short names
 * takes half a second, one text of that length some milliseconds.
 */
export function hasTooManyValues(json: string, limit: number): boolean {
  let left = limit / MEMBER
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const mark = json[at]
    if (mark === '"') isText = !isText
    else if (isText && mark === '\\') at++
    else if (!isText && (mark === ',' || mark === '{' || mark === '[') && --left < 0) return true
  }
  return false
}

interface Schema {
  type?: string
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  patternProperties?: object
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}

function sizeOf({ type, maxLength, maxItems, items = {}, properties = {}, ...more }: Schema, unbounded: number): number {
  const { additionalProperties, patternProperties, anyOf, allOf } = more
  const inner = (schema: Schema) => sizeOf(schema, unbounded)
  if (anyOf) return Math.max(...anyOf.map(inner))
  if (allOf) return allOf.reduce((sum, part) => sum + inner(part), 0)
  if (more.enum || 'const' in more || ['integer', 'number', 'boolean', 'null'].includes(type ?? '')) return MEMBER
  if (type === 'string') return maxLength === undefined ? unbounded : maxLength * CHARACTER
  if (type === 'array') return maxItems === undefined ? unbounded : maxItems * (MEMBER + inner(items))
  // Anything at all, such as what another site reports.
  if (type !== 'object' || additionalProperties || patternProperties) return MOST
  return Object.values(properties).reduce((sum, member) => sum + MEMBER + inner(member), 0)
}
