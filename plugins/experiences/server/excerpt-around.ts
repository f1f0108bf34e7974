const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' }

/** Where one of these begins or ends, so does a word; others stand inside of words: `un<em>believ</em>able`, `夜<strong>车</strong>`. */
const blocks = /<\/?(?:p|div|li|ul|ol|br|hr|h[1-6]|pre|blockquote|table|tr|td|th|section)\b[^>]*>/g

/** Text of rendered HTML in one line. */
export function plainText(html: string): string {
  return html
    .replace(blocks, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** About `reach` characters on each side of the first of `words` in rendered HTML; the beginning when none occurs. */
export function excerptAround(html: string, words: readonly string[], reach = 100): string {
  const text = plainText(html)
  const lower = text.toLowerCase()
  const hits = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  const start = Math.max(0, (hits.length > 0 ? Math.min(...hits) : 0) - reach)
  const end = Math.min(text.length, start + 2 * reach)
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}
