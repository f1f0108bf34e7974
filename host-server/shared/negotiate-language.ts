/**
 * The first wish of a browser, or the language nearest to it: `pt` for `pt-PT`.
 * @param header `Accept-Language` @returns `otherwise` where it is none of these
 */
export function negotiateLanguage(languages: readonly { code: string }[], header: string | undefined, otherwise: string): string {
  if (!header || header.length > 256) return otherwise
  const first = header.split(/[,;]/)[0]?.trim().replace('-', '_') ?? ''
  const exact = languages.find((language) => language.code.toLowerCase() === first.toLowerCase())
  const same = exact ?? languages.find((language) => language.code.slice(0, 2) === first.slice(0, 2).toLowerCase())
  return same?.code ?? otherwise
}
