import type { Shape } from '../shared/shapes.ts'

/** The kind of a value, as shapes name it; `null` and `undefined` for themselves. */
export const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

/** Where a value is not of its shape, and why: ` at tags[0].name: undefined instead of string`. Undefined where it fits. */
export function misfit(value: unknown, shape: Shape, path = ''): string | undefined {
  const isMissing = value === undefined || value === null
  if (typeof shape === 'string') {
    if (shape === 'any' || (isMissing && shape.endsWith('?'))) return undefined
    return wrongKind(value, shape.endsWith('?') ? shape.slice(0, -1) : shape, path)
  }
  if (Array.isArray(shape)) {
    const items = value as unknown[]
    let wrong = wrongKind(value, 'list', path)
    for (let at = 0; wrong === undefined && at < items.length; at++) wrong = misfit(items[at], shape[0], `${path}[${at}]`)
    return wrong
  }
  const members = shape as { readonly [member: string]: Shape }
  if (members['?'] !== undefined) return isMissing ? undefined : misfit(value, members['?'], path)
  let wrong = wrongKind(value, 'object', path)
  for (const name in members) wrong ??= misfit((value as Record<string, unknown>)[name], members[name] as Shape, `${path}.${name}`)
  return wrong
}

function wrongKind(value: unknown, expected: string, path: string): string | undefined {
  const kind = kindOf(value)
  return kind === expected ? undefined : `${path === '' ? '' : ` at ${path.replace(/^\./, '')}`}: ${kind} instead of ${expected}`
}
