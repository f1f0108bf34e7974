/** What the names of a plugin's tables begin with. */
export const prefixOf = (slug: string): string => `${slug.replaceAll('-', '_')}__`
