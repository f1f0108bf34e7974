import { createHash } from 'node:crypto'
import createParser from 'markdown-it'
import footnote from 'markdown-it-footnote'
import type { Markdown, RenderOptions } from '../shared/api.ts'
import { headingIds, mentions, picturesAsLinks, spoilers, tableClasses, taskLists } from './markdown-rules.ts'
import { sanitizerFor } from './sanitize.ts'

/** Colours a fenced block. @returns HTML, or empty: then the block stays plain */
export type Highlight = (code: string, language: string) => string

/** Longest text that is rendered where everything else waits for it: 33 ms at most for ordinary ones, 300 ms for the worst (measured). */
const MOST_AT_ONCE = 32_768

/** Of all tables of a text: 4,000 characters of short rows would be filled up to 65,000 cells, which take seconds. */
const MOST_CELLS = 20_000
/** Each is compared with those before: 12,000 take 17 seconds. */
const MOST_FOOTNOTES = 1000

/**
 * Grows with every change of what a text becomes: in the rules, the parser, the allow-list or the excerpt. Texts that were stored before are written anew, see
 * `renew-texts.ts`.
 */
export const RENDERER = 2

/** What the smaller profiles have no place for is read as it was written, instead of losing its form. */
const notInComments = ['table', 'heading', 'lheading', 'hr', 'reference']
const notInProfiles = [...notInComments, 'list', 'blockquote', 'fence', 'code', 'backticks', 'strikethrough']

/**
 * Renders posts, comments and profiles. Raw HTML is parsed as Markdown has it and then goes through one allow-list.
 * @param addresses of the site, the present one first
 * @param highlight takes long for some texts: only for a thread of its own
 */
export function createRender(addresses: () => readonly string[], highlight?: Highlight): Markdown['render'] {
  const parser = (html: boolean) => createParser({ html, breaks: true, linkify: true, ...(highlight && { highlight }) })
  const ofPosts = () => parser(true).use(footnote).use(spoilers).use(taskLists).use(tableClasses).use(headingIds)
  const plain = ofPosts()
  const withMentions = ofPosts().use(mentions)
  const comments = parser(false).use(spoilers).use(picturesAsLinks).use(mentions).disable(notInComments)
  const basic = parser(true).use(picturesAsLinks).disable(notInProfiles)
  const parserOf = (profile: RenderOptions['profile'], mention: boolean) =>
    profile === 'comment' ? comments : profile === 'basic' ? basic : mention ? withMentions : plain
  const clean = sanitizerFor(addresses)
  return (source, { profile = 'post', mentions: mention = false } = {}) => {
    if (!highlight && source.length > MOST_AT_ONCE) return unformatted(source)
    if (cellsOf(source) > MOST_CELLS || source.split(/\^\[|\[\^/).length - 1 > MOST_FOOTNOTES) return unformatted(source)
    const docId = createHash('sha256').update(source).digest('hex').slice(0, 6)
    return clean(parserOf(profile, mention).render(source, { docId }), profile).trim()
  }
}

/** Cells that the tables of a text can have at most, without parsing it: every line until the next empty one may be a row. */
export function cellsOf(source: string): number {
  let cells = 0
  let columns = 0
  for (const line of source.split(/\r\n?|\n/)) {
    if (/^[ \t]*$/.test(line)) columns = 0
    else if (line.includes('|') && /^[\s>!|:-]+$/.test(line)) columns = Math.max(columns, line.split('|').length)
    cells += columns
  }
  return cells
}

/** A text as it was typed, in paragraphs: for what nothing else can be made of in time. */
export function unformatted(source: string): string {
  const escaped = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  return escaped
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.trim().replace(/\r?\n/g, '<br />\n')}</p>`)
    .join('\n')
}
