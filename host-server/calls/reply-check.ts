import type { Route } from '@stoa/sdk/server'
import type { ErrorObject } from 'ajv'
import type { Check } from './judged.ts'
import { compiler2019 } from './judged.ts'

type Schema = Record<string, unknown>
const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same schema, refusing members that it does not name wherever it does not say `additionalProperties` itself. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  if (Array.isArray(schema.allOf)) return { ...schema, unevaluatedProperties: false }
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === 'properties' || name === 'patternProperties')
        return [name, Object.fromEntries(Object.entries(value as Schema).map(([member, of]) => [member, closed(of)]))]
      return [name, name === 'items' || name === 'anyOf' || name === 'oneOf' || name === 'additionalProperties' ? closed(value) : value]
    }),
  )
  const isOpen = !('properties' in schema) || 'additionalProperties' in schema || 'patternProperties' in schema
  return isOpen ? inner : { ...inner, additionalProperties: false }
}

/** Thrown in place of a reply that is not what its call promises. */
export class WrongReply extends Error {
  override readonly name = 'WrongReply'
}

/** @returns throws a {@link WrongReply} for `data` that is not of the route's reply schema; made with its first reply */
export function replyCheck(route: Pick<Route, 'method' | 'path' | 'reply'>): (data: unknown) => void {
  let validate: Check | undefined
  return (data) => {
    validate ??= compiler2019({ validateFormats: false })(closed(route.reply) as object)
    if (validate(data)) return
    const found = mostSpecific(validate.errors ?? []).map((error) => said(error, data))
    throw new WrongReply(`The reply of ${route.method} ${route.path} is not of its schema: ${[...new Set(found)].slice(0, 5).join('; ')}`)
  }
}

/** What is said about a choice as a whole is told better by what is wrong with one of its members. */
function mostSpecific(errors: ErrorObject[]): ErrorObject[] {
  const specific = errors.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf')
  return specific.length > 0 ? specific : errors
}

function said({ instancePath, keyword, message, params }: ErrorObject, data: unknown): string {
  const place = `data${instancePath.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}`
  const extra = (params as { additionalProperty?: string; unevaluatedProperty?: string }).additionalProperty ?? params.unevaluatedProperty
  if (extra !== undefined) return `${place}.${extra} is not named there`
  const names = instancePath.split('/').slice(1)
  const value = names.reduce<unknown>((of, name) => (of as Schema | undefined)?.[name], data)
  if (keyword === 'required') return `${place}.${(params as { missingProperty: string }).missingProperty} is missing`
  return `${place} ${message}, found ${JSON.stringify(value)?.slice(0, 80) ?? 'nothing'}`
}
