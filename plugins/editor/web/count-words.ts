const DENSE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu
/** Addresses are not read. */
const ADDRESS = /(?<=\])\([^)\s]*\)|https?:\/\/\S+/g
const WORD = /[\p{L}\p{N}\p{M}'’_-]+/gu

/** Words as people count them: each Chinese character is one, other scripts are counted between their spaces. */
export function countWords(source: string): number {
  const text = source.replace(ADDRESS, ' ')
  const dense = text.match(DENSE)?.filter((character) => /\p{L}/u.test(character)).length ?? 0
  const words =
    text
      .replace(DENSE, ' ')
      .match(WORD)
      ?.filter((word) => /[\p{L}\p{N}]/u.test(word)).length ?? 0
  return dense + words
}
