/**
 * Ids of public objects. Tables store the running number of a kind; the 17-digit text and the short form exist only at the boundary,
 * because 17 digits do not fit a JavaScript number.
 */
interface DecodedId {
  /** Kind code as declared in a `plugin.json`, 1 to 999. */
  kind: number
  /** Running number within the kind, 1 or more. */
  n: number
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LONG = /^1(\d{3})(\d{13})$/

/** @returns 17 digits: `1`, three of the kind, thirteen of the running number. */
export function encodeId(kind: number, n: number): string {
  return `1${String(kind).padStart(3, '0')}${String(n).padStart(13, '0')}`
}

function base62(value: number): string {
  let rest = value
  let text = ''
  do {
    text += DIGITS[rest % 62]
    rest = Math.floor(rest / 62)
  } while (rest > 0)
  return text
}

function fromBase62(text: string): number {
  let value = 0
  for (let i = text.length - 1; i >= 0; i--) {
    const digit = DIGITS.indexOf(text[i] as string)
    if (digit < 0) return Number.NaN
    value = value * 62 + digit
  }
  return value
}

/** Short form: (kind + 100) and (n + 100) in base 62, least significant digit first; the kind always takes two characters. */
export function shortId(kind: number, n: number): string {
  return base62(kind + 100) + base62(n + 100)
}

/** Reads the long and the short form. @returns null for anything else. */
export function decodeId(text: string): DecodedId | null {
  const long = LONG.exec(text)
  if (long) return valid(Number(long[1]), Number(long[2]))
  if (!/^[0-9a-zA-Z]{4,12}$/.test(text)) return null
  return valid(fromBase62(text.slice(0, 2)) - 100, fromBase62(text.slice(2)) - 100)
}

function valid(kind: number, n: number): DecodedId | null {
  return kind >= 1 && kind <= 999 && n >= 1 && Number.isSafeInteger(n) ? { kind, n } : null
}
