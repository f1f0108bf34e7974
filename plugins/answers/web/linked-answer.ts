const LONG = /^1002\d{13}$/
/** Short form: kind 2 + 100 in base 62 is `E1`, then the number. */
const SHORT = /^E1[0-9a-zA-Z]{2,10}$/

/**
 * Id of the answer that an address names, or undefined. Where addresses carry no title, the answer's id stands in the title's place.
 * A title is lower case, so it is never taken for a short id.
 */
export function linkedAnswerId(params: Readonly<Record<string, string | undefined>>): string | undefined {
  const last = params.aid ?? params.slugPermalink
  return last !== undefined && (LONG.test(last) || SHORT.test(last)) ? last : undefined
}
