/** JSON type of a value: a type's name, a list, an object (`key?` may be absent), or one of several. */
export type Shape = string | { list: Shape } | { object: Record<string, Shape> } | { or: Shape[] }

/** A call of the protocol, as `protocol.json` keeps it under `GET /path`. */
export interface Call {
  /** Who may call: `none`, `none-unless-private`, `login-any-status`, `login-active`, `admin`, `install-mode`. */
  who: string
  /** Names of query parameters; `name?` is optional. */
  query: string[]
  body?: Shape
  /** Shape of `data`; absent where the reply is no envelope. */
  reply?: Shape
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const typeNames = (shape: Shape): string => {
  if (typeof shape === 'string') return shape
  if ('or' in shape) return shape.or.map(typeNames).join(' or ')
  return 'list' in shape ? 'list' : 'object'
}

/** @returns one line for each place where `value` differs; more members than described do no harm */
export function differences(value: unknown, shape: Shape, at = 'data'): string[] {
  if (shape === 'any') return []
  if (typeof shape === 'string') {
    const type = typeOf(value)
    return type === shape || (shape === 'number' && type === 'integer') ? [] : [`${at} is ${type}, not ${shape}`]
  }
  if ('or' in shape) {
    const tries = shape.or.map((option) => differences(value, option, at))
    if (tries.some((lines) => lines.length === 0)) return []
    return tries.find((lines) => lines.some((line) => !line.startsWith(`${at} is `))) ?? [`${at} is ${typeOf(value)}, not ${typeNames(shape)}`]
  }
  if ('list' in shape) {
    return Array.isArray(value) ? value.flatMap((item, index) => differences(item, shape.list, `${at}[${index}]`)) : [`${at} is ${typeOf(value)}, not list`]
  }
  if (typeOf(value) !== 'object') return [`${at} is ${typeOf(value)}, not object`]
  return Object.entries(shape.object).flatMap(([key, inner]) => {
    const name = key.replace(/\?$/, '')
    const member = (value as Record<string, unknown>)[name]
    if (member === undefined) return key.endsWith('?') ? [] : [`${at}.${name} is missing`]
    return differences(member, inner, `${at}.${name}`)
  })
}
