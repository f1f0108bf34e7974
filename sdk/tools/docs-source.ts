/** What documentation takes from sources that values do not have at run time: types as they are written, and the comments above them. */

/** The part of `source` from an opening bracket at `start` to the one that closes it, both included. */
function bracketed(source: string, start: number, open: string, close: string): string {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const isArrow = source[at] === '>' && source[at - 1] === '='
    if (source[at] === open) depth += 1
    else if (source[at] === close && !isArrow) depth -= 1
    if (depth === 0) return source.slice(start, at + 1)
  }
  throw new Error(`A ${open} at ${start} is never closed`)
}

/** Text of the comment that ends right before `at`, without its stars; empty when there is none. */
export function textBefore(source: string, at: number): string {
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, at))
  return (found?.[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim()
}

/** Text of the first comment that names something in backticks. */
export function textNaming(source: string, name: string): string {
  for (const { index } of source.matchAll(/\*\//g)) {
    const text = textBefore(source, index + 2)
    if (text.includes(`\`${name}\``)) return text
  }
  return ''
}

/** Where a statement or member begins whose value stands at `at`. */
function beginning(source: string, at: number): number {
  const before = source.slice(0, at)
  return at - (/(?:export const \w+ =|\w+:|\.\.\.)\s*$/.exec(before)?.[0].length ?? 0)
}

/** What makes a token, where it is not called like the token's kind. */
const MAKERS: Record<string, string> = { service: 'services?', slot: 'slots?|fields', hook: 'waterfall|bail|series|parallel' }

/** How a token is declared: type arguments as written, and its comment. @returns undefined when no call in `source` makes it */
export function declarationOf(source: string, { kind, id }: { kind: string; id: string }): { type: string; text: string } | undefined {
  for (const match of source.matchAll(new RegExp(`\\b(?:${MAKERS[kind] ?? kind})(?=[<(])`, 'g'))) {
    const open = match.index + match[0].length
    const type = source[open] === '<' ? bracketed(source, open, '<', '>') : ''
    if (!new RegExp(`^\\(\\s*'${id.replaceAll('.', '\\.')}'`).test(source.slice(open + type.length))) continue
    return { type: oneLine(type.slice(1, -1)), text: textBefore(source, beginning(source, match.index)) }
  }
  return undefined
}

const oneLine = (code: string): string =>
  code
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/([({[]) /g, '$1')
    .replace(/,? ([)}\]])/g, (_, close) => (close === '}' ? ' }' : close))
    .replace(/\{(?=\S)/g, '{ ')
    .trim()

/** `export interface Name { … }` with its comments, as written. @param name a type, which may be none or have no name */
export function interfaceOf(source: string, name: string): string | undefined {
  if (!/^\w+$/.test(name)) return undefined
  const match = new RegExp(`^export interface ${name}\\b[^{]*`, 'm').exec(source)
  if (!match) return undefined
  return `${match[0]}${bracketed(source, match.index + match[0].length, '{', '}')}`
}

/** Props of a slot as one line: the members of its interface where it has a name. */
export function propsOf(source: string, type: string): string {
  const body = interfaceOf(source, type)
  if (body === undefined) return type
  const members = body.slice(body.indexOf('{') + 1, -1).replace(/\/\*\*[\s\S]*?\*\//g, '')
  const parts = members.split('\n').map((line) => line.trim())
  return `{ ${parts.filter(Boolean).join('; ')} }`
}
