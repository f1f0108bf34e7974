const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const entities: Record<string, string> = {
  ...Object.fromEntries(Object.entries(escapes).map(([char, name]) => [name, char])),
  '&nbsp;': ' ',
}

/** Where one of these begins or ends, so does a word; others stand inside of words: `un<em>believ</em>able`, `夜<strong>车</strong>`. */
const blocks = /<\/?(?:p|div|li|ul|ol|br|hr|h[1-6]|pre|blockquote|table|tr|td|th|section|details|summary)\b[^>]*>/g

/** Text as it may stand in HTML, in an attribute's value too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] as string)

/** Rendered HTML without what is folded away as a spoiler: it is for nobody who did not open it. */
export function withoutSpoilers(html: string): string {
  let depth = 0
  return html
    .split(/(<\/?details\b[^>]*>)/)
    .filter((part) => {
      if (part.startsWith('<details') && (depth > 0 || part.includes('class="spoiler"'))) depth++
      const isShown = depth === 0
      if (part === '</details>' && depth > 0) depth--
      return isShown
    })
    .join('')
}

/** Rendered HTML without its footnotes and what leads to them. */
export const withoutFootnotes = (html: string): string =>
  withoutMarks(html).replace(/<hr class="footnotes-sep"[^>]*>|<section class="footnotes"[^>]*>[\s\S]*?<\/section>/g, '')

/** Without `[1]` and the arrow back: they are links, not words. */
const withoutMarks = (html: string): string =>
  html.replace(/<sup class="footnote-ref">[\s\S]*?<\/sup>|<a\b[^>]* class="footnote-backref"[^>]*>[\s\S]*?<\/a>/g, '')

/** Text of rendered HTML in one line. */
export function plainText(html: string): string {
  return withoutMarks(withoutSpoilers(html))
    .replace(blocks, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] as string)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Characters shown on each side of a word that was searched. */
const REACH = 100

/** One line of plain text around the first of `words` that occurs in rendered HTML; its beginning when none does. */
export function excerptAround(html: string, words: readonly string[]): string {
  const text = plainText(html)
  const lower = text.toLowerCase()
  const hits = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  const start = Math.max(0, (hits.length > 0 ? Math.min(...hits) : 0) - REACH)
  const end = start + 2 * REACH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}
