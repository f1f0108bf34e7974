import { longestName } from '../shared/schemas.ts'

/** Most tags on one post. */
export const mostTags = 5

/** A name as a slug: lower case, spaces as hyphens. */
export const slugOf = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, '-')

/** Letters and digits of any script, with the signs that names such as `c++`, `c#`, `node.js` need. */
export const isSlug = (slug: string): boolean => /^[\p{L}\p{M}\p{N}.+#_-]+$/u.test(slug) && /[\p{L}\p{N}]/u.test(slug)

export const isTooLong = (name: string): boolean => [...name].length > longestName
