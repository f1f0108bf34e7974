import { fieldErrors } from '@stoa/sdk/server'
import sanitizeHtml from 'sanitize-html'

/** Parts of a page that the owner may write. */
const areas = ['header', 'footer', 'sidebar'] as const
type Area = (typeof areas)[number]
export type ShownAreas = Record<Area, string>

/** The group as it is stored: what the owner wrote, and what pages show of it. */
export interface OwnCode {
  custom_head: string
  custom_css: string
  custom_header: string
  custom_footer: string
  custom_sidebar: string
  shown?: ShownAreas
}

const allowedTags = [
  ...[
    'p',
    'div',
    'section',
    'nav',
    'article',
    'aside',
    'header',
    'footer',
    'main',
    'figure',
    'figcaption',
    'blockquote',
    'pre',
    'hr',
    'br',
  ],
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'caption'],
  ...[
    'a',
    'span',
    'b',
    'strong',
    'i',
    'em',
    's',
    'u',
    'small',
    'sub',
    'sup',
    'mark',
    'code',
    'kbd',
    'abbr',
    'time',
    'q',
    'img',
    'details',
    'summary',
  ],
]

/**
 * HTML of the owner as the content policy of the pages lets it stand: no script, no style attribute, no frame.
 * @param dropped is told of each thing that is left out
 */
function cleaned(html: string, dropped: (name: string) => void): string {
  const seen = (tagName: string, attribs: Record<string, string>) => {
    for (const name of Object.keys(attribs)) if (name === 'style' || name.startsWith('on')) dropped(name)
    if (!allowedTags.includes(tagName)) dropped(tagName)
    return { tagName, attribs }
  }
  return sanitizeHtml(html, {
    allowedTags,
    allowedAttributes: {
      '*': ['class', 'id', 'title', 'lang', 'dir', 'role', 'aria-label', 'aria-hidden'],
      a: ['href', 'rel', 'target'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      time: ['datetime'],
      ...{ td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan', 'scope'], details: ['open'] },
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https', 'data'] },
    allowProtocolRelative: false,
    transformTags: { '*': seen },
  })
}

/**
 * Elements of the head that pages take over: what describes the page and runs nothing, a `<meta>` a line, whatever quotes and order they were pasted in.
 * @param dropped is told of each thing that is left out
 */
export function headOf(head: string, dropped: (what: string) => void = () => {}): string {
  const kept: string[] = []
  const transform = (tagName: string, attribs: Record<string, string>) => {
    const { content = '' } = attribs
    const [kind, name = ''] = attribs.name === undefined ? ['property', attribs.property] : ['name', attribs.name]
    if (tagName === 'meta' && /^[\w:.-]{1,80}$/.test(name) && /^[^"<>]{1,1000}$/.test(content))
      kept.push(`<meta ${kind}="${name}" content="${content}">`)
    else dropped(`<${tagName}>`)
    return { tagName, attribs: {} }
  }
  const rest = sanitizeHtml(head, { allowedTags: [], transformTags: { '*': transform } }).trim()
  if (rest !== '') dropped(rest.slice(0, 60))
  return kept.join('\n')
}

/** What the preview shows, and what pages would leave out, by the owner's words for it. */
export function previewOf(code: OwnCode): { shown: ShownAreas; dropped: string[]; css: string } {
  const dropped = new Set<string>()
  const drop = (what: string) => void dropped.add(what)
  const shown = Object.fromEntries(areas.map((area) => [area, cleaned(code[`custom_${area}`], drop)])) as ShownAreas
  headOf(code.custom_head, drop)
  return { shown, dropped: [...dropped].slice(0, 20), css: code.custom_css }
}

/**
 * What is stored of a form: the owner's words, and what pages show of them.
 * @throws field errors for CSS whose brackets do not fit together: it could not be kept off the admin area
 */
export function checkedCode(values: Partial<OwnCode>, before: OwnCode): Partial<OwnCode> {
  const line = values.custom_css === undefined ? 0 : unbalancedLine(values.custom_css)
  if (line > 0) throw fieldErrors({ custom_css: 'site.error.css_unbalanced' }, { line })
  return { ...values, shown: previewOf({ ...before, ...values }).shown }
}

/** @returns the line where brackets, quotes or comments of a sheet stop to fit together; 0 where they fit */
export function unbalancedLine(css: string): number {
  const closing: Record<string, string> = { '}': '{', ')': '(', ']': '[' }
  const open: { char: string; line: number }[] = []
  let line = 1
  for (let at = 0; at < css.length; at++) {
    const char = css[at] as string
    if (char === '\n') line++
    else if (char === '\\') at++
    else if (char === '/' && css[at + 1] === '*') {
      const end = css.indexOf('*/', at + 2)
      if (end < 0) return line
      line += css.slice(at, end).split('\n').length - 1
      at = end + 1
    } else if (char === '"' || char === "'") {
      let end = at + 1
      while (end < css.length && css[end] !== char && css[end] !== '\n') end += css[end] === '\\' ? 2 : 1
      if (css[end] !== char) return line
      at = end
    } else if ('{(['.includes(char)) open.push({ char, line })
    else if (char in closing && open.pop()?.char !== closing[char]) return line
  }
  return open[0]?.line ?? 0
}

/** The owner's sheet as pages get it: the admin area is out of its reach, so that there is always a way back. */
export const servedCss = (css: string): string =>
  css.trim() === '' ? '' : `@scope (:root:not(:has([data-layout="admin"]))) {\n${css}\n}\n`
