/** Letters and digits of scripts written without spaces between words, and Hangul, whose words change their ends. */
const CJK = /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]&&[\p{L}\p{N}]]/v
const WORD = /[\p{L}\p{N}\p{M}]/v

/** Longer words are cut: nobody types them, and PostgreSQL refuses 2 KB. */
const LONGEST_WORD = 64
/** UTF-16 units of a text that are looked at; PostgreSQL keeps at most 1 MB of tokens per document. */
const LONGEST_TEXT = 80_000

/** ASCII and plain Chinese with its punctuation: folding changes nothing there but case, and costs as much as all the rest. */
const PLAIN = /^[\0-\x7f\u4e00-\u9fff，。、；：？！（）“”‘’《》…—]*$/

/** Compatibility forms made one, case and accents folded; voiced kana and Hangul stay composed. */
function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
}

const [UNKNOWN, OTHER, IN_WORD, IN_CJK] = [0, 1, 2, 3]
/** Kind of each character, once it was asked for. */
const kinds = new Uint8Array(0x110000)

function kindAt(text: string, at: number): number {
  const code = text.codePointAt(at) as number
  if (kinds[code] === UNKNOWN) {
    const character = String.fromCodePoint(code)
    kinds[code] = CJK.test(character) ? IN_CJK : WORD.test(character) ? IN_WORD : OTHER
  }
  return kinds[code] as number
}

/** Where the character that begins at `at` ends. */
const endOf = (text: string, at: number): number => at + ((text.codePointAt(at) as number) > 0xffff ? 2 : 1)

/** One stretch of letters in a text. */
interface Run {
  isCjk: boolean
  start: number
  end: number
}

function runs(text: string): Run[] {
  const found: Run[] = []
  for (let at = 0; at < text.length; ) {
    const start = at
    const kind = kindAt(text, at)
    do at = endOf(text, at)
    while (at < text.length && kindAt(text, at) === kind)
    if (kind !== OTHER) found.push({ isCjk: kind === IN_CJK, start, end: at })
  }
  return found
}

/** Words stay whole, CJK falls into overlapping pairs. */
function addTokens(text: string, { isCjk, start, end }: Run, tokens: string[]): void {
  if (!isCjk) {
    tokens.push(text.slice(start, Math.min(end, start + LONGEST_WORD)))
    return
  }
  for (let at = start; at < end; ) {
    const next = endOf(text, at)
    // The last character stands alone too: so each one begins a token, and a search for one is a search for a beginning.
    tokens.push(text.slice(at, next < end ? endOf(text, next) : end))
    at = next
  }
}

/** Tokens of a text in order, for an index: `Node数据库` gives `node 数据 据库 库`. */
export function tokensOfText(text: string): string[] {
  const folded = fold(text.slice(0, LONGEST_TEXT))
  const tokens: string[] = []
  for (const run of runs(folded)) addTokens(folded, run, tokens)
  return tokens
}

/** Tokens that must stand next to each other. `openEnd`: the last one is the beginning of a token. */
export interface TokenPhrase {
  tokens: string[]
  openEnd: boolean
}

/**
 * What a searched word or phrase looks like in the index: `数据库` gives `数据 据库`, `库` gives the open `库…`.
 * @returns undefined when nothing of it can be searched, such as an emoji
 */
export function tokensOfSearch(text: string): TokenPhrase | undefined {
  const folded = fold(text.slice(0, LONGEST_TEXT))
  const found = runs(folded)
  const last = found.at(-1)
  if (!last) return undefined
  const tokens: string[] = []
  for (const run of found) addTokens(folded, run, tokens)
  // In the text, more may follow the last character, so its token alone is not asked for, unless it is all there is.
  const isOne = last.isCjk && endOf(folded, last.start) === last.end
  return { tokens: last.isCjk && !isOne ? tokens.slice(0, -1) : tokens, openEnd: isOne }
}
