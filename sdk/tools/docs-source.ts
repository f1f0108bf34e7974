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

/** How a token is declared: type arguments as written, and its comment. @returns undefined when no call in `source` names the id */
export function declarationOf(source: string, id: string): { type: string; text: string } | undefined {
  const call = /\b(?:service|services|waterfall|bail|series|parallel|event|job|read|decorator|filter)\b(?=[<(])/g
  for (const match of source.matchAll(call)) {
    const open = match.index + match[0].length
    const type = source[open] === '<' ? bracketed(source, open, '<', '>') : ''
    if (
      !source.slice(open + type.length).startsWith(`('${id}'`) &&
      !new RegExp(`^\\(\\s*'${id.replaceAll('.', '\\.')}'`).test(source.slice(open + type.length))
    )
      continue
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

/** `export interface Name { … }` with its comments, as written. */
export function interfaceOf(source: string, name: string): string | undefined {
  const match = new RegExp(`^export interface ${name}\\b[^{]*`, 'm').exec(source)
  if (!match) return undefined
  return `${match[0]}${bracketed(source, match.index + match[0].length, '{', '}')}`
}

export interface SlotUse {
  id: string
  single: boolean
  /** Names of what contributions are handed. */
  props: string[]
}

/** Slots of a file, `<Slot id="…" … />`. */
export function slotsOf(source: string): SlotUse[] {
  return [...source.matchAll(/<Slot\b/g)].flatMap((match): SlotUse[] => {
    const element = source.slice(match.index, match.index + 600)
    const id = /\bid="([^"]+)"/.exec(element)?.[1]
    if (id === undefined) return []
    const head = element.slice(0, element.search(/\bempty=|\bwaiting=|\/>/))
    const given = /\bprops=\{(\{[^}]*\}|\w+)/.exec(element.slice(0, element.search(/\/>/)))?.[1] ?? ''
    return [{ id, single: /\bsingle\b/.test(head), props: namesIn(source, given) }]
  })
}

/** `{ id: post.id, reload }` → `id`, `reload`; a variable or what is spread is looked up in the file. */
function namesIn(source: string, given: string): string[] {
  if (given === '') return []
  if (!given.startsWith('{')) {
    const match = new RegExp(`const ${given}(?:: \\w+)? = (?=\\{)`).exec(source)
    return match ? namesIn(source, bracketed(source, match.index + match[0].length, '{', '}')) : []
  }
  return topLevel(given.slice(1, -1)).flatMap((part) => {
    if (part.startsWith('...')) return namesIn(source, part.slice(3).trim())
    const name = /^\w+/.exec(part)?.[0]
    return name === undefined ? [] : [name]
  })
}

/** Parts between commas that stand in no bracket. */
function topLevel(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const char of list) {
    if ('([{'.includes(char)) depth += 1
    if (')]}'.includes(char)) depth -= 1
    if (char === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += char
  }
  return [...parts, part.trim()].filter((one) => one !== '')
}
