/** East Asian wide characters say about twice as much as letters: a rule of length counts them double. */
const wide =
  /[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/gu

/** Length as a reader sees it: letters 1, wide characters 2. */
export function width(text: string): number {
  return [...text].length + (text.match(wide)?.length ?? 0)
}

const length = (text: string) => [...text].length

/**
 * Field errors (field → text key) of title and text.
 * The specification sets 150 and "required"; the lower bounds keep single words out without turning short Chinese titles away.
 */
export function postErrors(title: string, content: string): Record<string, string> {
  const errors: Record<string, string> = {}
  if (title === '') errors.title = 'experience.title_empty'
  else if (length(title) > 150) errors.title = 'experience.title_long'
  else if (width(title) < 4) errors.title = 'experience.title_short'
  if (content.trim() === '') errors.content = 'experience.content_empty'
  else if (content.length > 65_535) errors.content = 'experience.content_long'
  else if (width(content.trim()) < 6) errors.content = 'experience.content_short'
  return errors
}

/** Addresses in a text, for the rule that newcomers may post two. */
export function countLinks(content: string): number {
  return content.match(/https?:\/\//gi)?.length ?? 0
}
