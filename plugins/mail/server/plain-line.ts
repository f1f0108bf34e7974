/** One line of what a server or a visitor wrote, no longer than `length`. */
export const plainLine = (text: string, length: number): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, length)
    .toWellFormed()
