/** A text field's content and selection. */
export interface FieldState {
  text: string
  start: number
  end: number
}

/** One replacement, done as if typed, and the selection after it. */
export interface Edit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

export type Action =
  | 'bold'
  | 'italic'
  | 'code'
  | 'heading'
  | 'quote'
  | 'bullets'
  | 'numbers'
  | 'link'
  | 'table'
  | 'tasks'
  | 'footnote'
  | 'spoiler'

/** Words that stand where the writer has not selected anything. */
export interface Samples {
  bold: string
  italic: string
  code: string
  heading: string
  link: string
  column: string
  cell: string
  note: string
}

/** What a press of a toolbar button does to the field. A second press takes marks away again. */
export function editFor(action: Action, field: FieldState, samples: Samples): Edit {
  switch (action) {
    case 'bold':
      return toggleMark(field, '**', samples.bold)
    case 'italic':
      return toggleMark(field, '_', samples.italic)
    case 'code':
      return selected(field).includes('\n') ? codeBlock(field, samples, '') : toggleMark(field, '`', samples.code)
    case 'heading':
      return toggleLines(field, () => '## ', /^#{1,6} /, samples.heading)
    case 'quote':
      return toggleLines(field, () => '> ', /^>(?!!) ?/)
    case 'spoiler':
      return toggleLines(field, () => '>! ', /^>! ?/)
    case 'bullets':
      return toggleLines(field, () => '- ', /^[-*+] (?!\[[ xX]\] )/, '', BULLET)
    case 'tasks':
      return toggleLines(field, () => '- [ ] ', /^[-*+] \[[ xX]\] /, '', BULLET)
    case 'numbers':
      return toggleLines(field, (index) => `${index + 1}. `, /^\d{1,9}[.)] /)
    case 'link':
      return link(field, samples.link)
    case 'table':
      return table(field, samples)
    case 'footnote':
      return footnote(field, samples.note)
  }
}

/** Of any list without numbers. */
const BULLET = /^[-*+] (?:\[[ xX]\] )?/

const selected = ({ text, start, end }: FieldState): string => text.slice(start, end)

function toggleMark(field: FieldState, mark: string, sample: string): Edit {
  const { text, start, end } = field
  const size = mark.length
  const inside = selected(field)
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark) {
    return { from: start - size, to: end + size, insert: inside, start: start - size, end: end - size }
  }
  if (inside.length > 2 * size && inside.startsWith(mark) && inside.endsWith(mark)) {
    const bare = inside.slice(size, -size)
    return { from: start, to: end, insert: bare, start, end: start + bare.length }
  }
  // Marks stick to words: spaces at the edges of a selection stay outside, or Markdown would not see them.
  const lead = inside.length - inside.trimStart().length
  const word = inside.trim() || sample
  const from = inside.trim() ? start + lead : start
  const to = inside.trim() ? from + word.length : end
  return { from, to, insert: mark + word + mark, start: from + size, end: from + size + word.length }
}

/**
 * Puts a prefix before every line of the selection, or takes it away when all lines have it.
 * @param replaced what the prefix takes the place of
 */
function toggleLines(field: FieldState, prefix: (index: number) => string, known: RegExp, sample = '', replaced = known): Edit {
  const { text, start, end } = field
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', Math.max(start, end - (end > start && text[end - 1] === '\n' ? 1 : 0)))
  const to = lineEnd < 0 ? text.length : lineEnd
  const lines = text.slice(from, to).split('\n')
  const all = lines.every((line) => known.test(line) || (lines.length > 1 && line === '')) && lines.some((line) => line !== '')
  const changed = lines.map((line, index) => {
    const bare = line.replace(replaced, '')
    return all ? bare : prefix(index) + bare
  })
  if (lines.length === 1 && lines[0] === '' && !all) {
    const head = prefix(0)
    return { from, to, insert: head + sample, start: from + head.length, end: from + head.length + sample.length }
  }
  const insert = changed.join('\n')
  const caret = from + insert.length
  return { from, to, insert, start: lines.length > 1 ? from : caret, end: caret }
}

/** A block set off by empty lines: text before and after it as far as they are missing. */
function block(field: FieldState, insert: string): { edit: Omit<Edit, 'start' | 'end'>; at: number } {
  const before = field.text.slice(0, field.start)
  const after = field.text.slice(field.end)
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  return { edit: { from: field.start, to: field.end, insert: lead + insert + tail }, at: field.start + lead.length }
}

/** What is selected as a fenced block, or a sample to write over. Without a language the caret waits where its name goes. */
export function codeBlock(field: FieldState, samples: Pick<Samples, 'code'>, language: string): Edit {
  const code = selected(field).replace(/^\n+|\n+$/g, '') || samples.code
  const insert = fenced(language, code)
  const { edit, at } = block(field, insert)
  const start = at + insert.indexOf('\n') + (language ? 1 : 0)
  return { ...edit, start, end: language ? start + code.length : start }
}

/** A block of code, with one backtick more than the longest row at the beginning of a line of the code itself. */
export function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/^ {0,3}(`{3,})/gm)].map(([, ticks]) => (ticks as string).length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

/** Whether the caret stands in a block of code, where every character counts. */
export const isInCode = ({ text, start }: FieldState): boolean =>
  [...text.slice(0, start).matchAll(/^ {0,3}(?:```|~~~)/gm)].length % 2 === 1

function link(field: FieldState, sample: string): Edit {
  const inside = selected(field)
  if (/^https?:\/\/\S+$/.test(inside)) {
    return {
      from: field.start,
      to: field.end,
      insert: `[${sample}](${inside})`,
      start: field.start + 1,
      end: field.start + 1 + sample.length,
    }
  }
  const label = inside || sample
  const address = 'https://'
  const at = field.start + label.length + 3
  return { from: field.start, to: field.end, insert: `[${label}](${address})`, start: at, end: at + address.length }
}

function table(field: FieldState, { column, cell }: Samples): Edit {
  const row = `| ${cell} | ${cell} |`
  const { edit, at } = block({ ...field, start: field.end }, `| ${column} | ${column} |\n| --- | --- |\n${row}\n${row}`)
  return { ...edit, start: at + 2, end: at + 2 + column.length }
}

/** A mark behind what is selected, and its note at the end of the text. */
function footnote({ text, end }: FieldState, note: string): Edit {
  const taken = [...text.matchAll(/\[\^(\d{1,6})\]/g)].map(([, number]) => Number(number))
  const mark = `[^${Math.max(0, ...taken) + 1}]`
  const rest = text.slice(end).trimEnd()
  // Notes stand close together.
  const gap = /(?:^|\n)\[\^[^\]\n]+\]: [^\n]*$/.test(rest) ? '\n' : '\n\n'
  const insert = `${mark}${rest}${gap}${mark}: ${note}`
  const at = end + insert.length - note.length
  return { from: end, to: text.length, insert, start: at, end: at + note.length }
}

/**
 * What the Enter key does inside a list or a quote: the next line goes on with it; on an empty item the list ends.
 * @returns null where Enter is just a new line
 */
export function continueList({ text, start, end }: FieldState): Edit | null {
  if (start !== end) return null
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const found = /^(\s*)(?:([-*+])( \[[ xX]\])?|(\d{1,9})([.)])|(>!?)) /.exec(line)
  if (!found) return null
  const [marker, indent = '', bullet, task, number, dot, quote] = found
  if (line.length === marker.length && (text[start] === '\n' || start === text.length)) {
    return { from, to: start, insert: '', start: from, end: from }
  }
  const next = bullet ? `${bullet}${task ? ' [ ]' : ''}` : number ? `${Number(number) + 1}${dot}` : quote
  const insert = `\n${indent}${next} `
  return { from: start, to: start, insert, start: start + insert.length, end: start + insert.length }
}

/** A picture in Markdown; brackets in its name would end it early. */
export function pictureMarkdown(name: string, address: string): string {
  const label = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[[\]\\\n]/g, ' ')
    .trim()
  return `![${label}](${address})`
}
