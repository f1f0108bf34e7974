/** `How???` → `How?`, `Wow!!!` → `Wow!`, runs of spaces become one. */
export const tidy = (title: string): string =>
  title
    .replace(/([!?！？])\1+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** Ten letters or more, and none of them small. */
export function shouts(title: string): boolean {
  const letters = title.match(/\p{Lu}|\p{Ll}/gu) ?? []
  return letters.length >= 10 && letters.every((letter) => letter === letter.toUpperCase())
}
