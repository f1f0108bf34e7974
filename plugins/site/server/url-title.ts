import { pinyin } from 'pinyin-pro'

const MAX_BYTES = 150

/**
 * Path part from a title: Chinese as pinyin, accents removed, other scripts percent-encoded, everything else a single hyphen.
 * @returns at most 150 bytes of ASCII, `topic` when nothing is left
 */
export function urlTitle(title: string): string {
  const latin = title.replace(/\p{Script=Han}+/gu, (han) => ` ${pinyin(han, { toneType: 'none', type: 'array' }).join(' ')} `)
  const words =
    latin
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  let slug = ''
  for (const character of words.join('-')) {
    const encoded = encodeURIComponent(character)
    if (slug.length + encoded.length > MAX_BYTES) break
    slug += encoded
  }
  return slug.replace(/-+$/, '') || 'topic'
}
