import { fenced } from './edits.ts'

/** Makes more of a text than its words. */
const LOOKS = 'a[href], h1, h2, h3, h4, h5, h6, ul, ol, blockquote, table, strong, b, em, i, img[src^="http"], [data-look*="mso-list"]'
const BLOCKS =
  'address, article, aside, blockquote, body, center, dd, details, div, dl, dt, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, summary, table, ul'
const UNSEEN = 'button, head, link, meta, noscript, script, style, svg, template, title'

/**
 * What was copied from a page or out of Word, as Markdown. No script of it runs and nothing of it is loaded.
 * @returns null when its words are all there is to it: a row of code that an editor coloured has to keep its spaces
 */
export function markdownOf(html: string): string | null {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
  for (const unseen of body.querySelectorAll(UNSEEN)) unseen.remove()
  // Google Docs puts all of it into a b that is not bold.
  for (const thin of body.querySelectorAll('b, i, strong, em'))
    if (/font-(?:weight:\s*(?:normal|400)|style:\s*normal)/.test(lookOf(thin))) thin.replaceWith(...thin.childNodes)
  return body.querySelector(LOOKS) ? blocksOf(body).join('\n\n') : null
}

/** The site's policy takes inline styles for an attack and reports each; what they say is kept under another name. */
const withoutStyles = (html: string): string =>
  html.replace(/<style[\s\S]*?<\/style>/gi, '').replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle=/i, ' data-look='))
const lookOf = (element: Element): string => element.getAttribute('data-look') ?? ''

const isElement = (node: Node): node is HTMLElement => node.nodeType === Node.ELEMENT_NODE
const isBlock = (node: Node): node is HTMLElement => isElement(node) && (node.matches(BLOCKS) || node.querySelector(BLOCKS) !== null)
const isWordItem = (node: Node | null): boolean => node !== null && isElement(node) && /mso-list:\s*l\d/.test(lookOf(node))

/** The paragraphs, lists and so on within it. */
function blocksOf(parent: Node): string[] {
  const blocks: string[] = []
  let line = ''
  const endLine = () => {
    const text = line.replace(/[ \t]*\n[ \t]*/g, '\n').trim()
    if (text) blocks.push(atLineStart(text))
    line = ''
  }
  let wasWordItem = false
  for (const node of parent.childNodes) {
    if (!isBlock(node)) {
      line += inlineOf(node)
      continue
    }
    endLine()
    const found = blockOf(node)
    const isItem = isWordItem(node)
    if (isItem && wasWordItem) blocks.push(`${blocks.pop()}\n${found.join('\n')}`)
    else blocks.push(...found)
    wasWordItem = isItem
  }
  endLine()
  return blocks
}

function blockOf(block: HTMLElement): string[] {
  const name = block.localName
  if (isWordItem(block)) return [wordItem(block)]
  if (/^h[1-6]$/.test(name)) return lineOf(block) ? [`${'#'.repeat(Number(name[1]))} ${lineOf(block)}`] : []
  if (name === 'ul' || name === 'ol') return [listOf(block)].filter(Boolean)
  if (name === 'blockquote') return [blocksOf(block).join('\n\n').replace(/^/gm, '> ').replace(/ +$/gm, '')]
  if (name === 'pre') return [fenced('', (block.textContent ?? '').replace(/^\n+|\s+$/g, ''))]
  if (name === 'hr') return ['---']
  if (block instanceof HTMLTableElement) return tableOf(block)
  return blocksOf(block)
}

function listOf(list: HTMLElement): string {
  const first = Number(list.getAttribute('start') ?? 1)
  const lines: string[] = []
  let count = 0
  for (const item of list.children) {
    // A list within a list and not within one of its items, as some programs write it, belongs to the item before.
    const marker = list.localName === 'ol' ? `${first + count}. ` : '- '
    if (item.matches('ul, ol')) lines.push(indented(listOf(item as HTMLElement), marker.length))
    else {
      lines.push(marker + indented(blocksOf(item).join('\n'), marker.length).trimStart())
      count++
    }
  }
  return lines.join('\n')
}

const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** Word writes lists as paragraphs, whose marker is text that says that it is to be ignored. */
function wordItem(item: HTMLElement): string {
  const level = Number(/level(\d)/.exec(lookOf(item))?.[1] ?? 1)
  const marker = item.querySelector('[data-look*="mso-list:Ignore"], [data-look*="mso-list: Ignore"]')
  const isNumber = /^\s*[(（]?[\p{L}\p{N}]{1,4}[.)、）]/u.test(marker?.textContent ?? '')
  marker?.remove()
  return `${'   '.repeat(level - 1)}${isNumber ? '1. ' : '- '}${lineOf(item)}`
}

/** A table of one column only sets out a page. */
function tableOf(table: HTMLTableElement): string[] {
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => lineOf(cell).replaceAll('|', '\\|')))
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width < 2) return [...table.rows].flatMap((row) => [...row.cells].flatMap(blocksOf))
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`)
  return [[lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')]
}

/** All of it in one line, where Markdown has no room for more. */
const lineOf = (parent: Node): string =>
  [...parent.childNodes]
    .map(inlineOf)
    .join('')
    .replace(/\s*\n\s*/g, ' ')
    .trim()

function inlineOf(node: Node): string {
  // Wide spaces are meant.
  if (node.nodeType === Node.TEXT_NODE) return escaped((node.textContent ?? '').replace(/[ \t\r\n\u00a0]+/g, ' '))
  if (!isElement(node)) return ''
  const inside = () => [...node.childNodes].map(inlineOf).join('')
  switch (node.localName) {
    case 'br':
      return '\n'
    case 'strong':
    case 'b':
      return marked('**', inside())
    case 'em':
    case 'i':
      return marked('*', inside())
    case 'del':
    case 's':
      return marked('~~', inside())
    case 'code':
      return codeOf(node.textContent ?? '')
    case 'a':
      return linkOf(node.getAttribute('href') ?? '', inside(), node.textContent ?? '')
    case 'img': {
      const address = node.getAttribute('src') ?? ''
      return /^https?:/.test(address) ? `![${escaped(node.getAttribute('alt') ?? '')}](${addressOf(address)})` : ''
    }
    default:
      return inside()
  }
}

/** Marks stick to words, and Markdown knows none between a Chinese stop and a letter: both stay outside. */
function marked(mark: string, text: string): string {
  const [, before = '', word = '', after = ''] = /^([\s\p{Ps}]*)(.*?)([\s，。！？：；、）】》」』]*)$/su.exec(text) ?? []
  return word === '' || word.includes('\n') ? text : `${before}${mark}${word}${mark}${after}`
}

function codeOf(code: string): string {
  const text = code.replace(/\s+/g, ' ').trim()
  return text === '' ? '' : text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function linkOf(address: string, content: string, text: string): string {
  const label = content.replace(/\s*\n\s*/g, ' ').trim()
  // What pages put beside a heading, to link to it.
  if (/^[#¶§]$/.test(text.trim())) return ''
  if (label === '' || !/^(?:https?|mailto):/i.test(address)) return content
  return text.trim() === address ? address : `[${label}](${addressOf(address)})`
}

const addressOf = (address: string): string =>
  address.replace(/[\s()<>]/g, (letter) => encodeURIComponent(letter).replace('(', '%28').replace(')', '%29'))

/** What would be taken for a mark. */
const escaped = (text: string): string => text.replace(/[\\`*[\]]|<(?=[a-z/!?])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, '\\$&')

/** What begins a line and would be taken for the beginning of a heading, a quote or a list. */
const atLineStart = (text: string): string => text.replace(/^(?=#{1,6} |>|[-+] )/gm, '\\').replace(/^(\d{1,9})(?=[.)] )/gm, '$1\\')
