/** Words of a Latin script that people read in a minute, and characters of a Chinese one. */
const WORDS = 230
const CHARACTERS = 400

/** Whole minutes that a post of this HTML takes, 1 or more. */
export function minutesToRead(html: string): number {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/&[a-z0-9#]+;/gi, ' ')
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = text.replace(/\p{Script=Han}/gu, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return Math.max(1, Math.round(characters / CHARACTERS + words / WORDS))
}
