/** Characters shown on each side of a word that was searched. */
const REACH = 100

/** Where one of these begins or ends, so does a word; others stand inside of words: `un<em>believ</em>able`, `夜<strong>车</strong>`. */
const blocks = /<\/?(?:p|div|li|ul|ol|br|hr|h[1-6]|pre|blockquote|table|tr|td|th|section)\b[^>]*>/g

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** One line of plain text around the first of `words` that occurs in rendered HTML; its beginning when none does. */
export function excerptAround(html: string, words: readonly string[]): string {
  const text = html
    .replace(blocks, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] as string)
    .replace(/\s+/g, ' ')
    .trim()
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  const from = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - REACH)
  const to = from + 2 * REACH
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}
