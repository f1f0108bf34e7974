import { withoutFootnotes, withoutSpoilers } from '@stoa/sdk/server'

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Plain text of HTML that this plugin rendered, without spoilers and footnotes, whitespace collapsed, at most `length` characters and an ellipsis. */
export function excerpt(html: string, length = 240): string {
  const text = withoutFootnotes(withoutSpoilers(html))
    .replace(/<\/?(p|div|li|ul|ol|br|h[1-6]|pre|blockquote|table|tr|td|th|hr|section|details|summary)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, decode)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(text)
  return characters.length > length ? `${characters.slice(0, length).join('').trimEnd()}…` : text
}

function decode(whole: string, body: string): string {
  if (!body.startsWith('#')) return named[body.toLowerCase()] ?? whole
  const code = body[1]?.toLowerCase() === 'x' ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
