import { readFileSync } from 'node:fs'

/** Slugs that the project keeps for its own plugins, those to come included: `plugins/reserved-slugs.json`. */
export const reservedSlugs = (): string[] =>
  JSON.parse(readFileSync(new URL('../../plugins/reserved-slugs.json', import.meta.url), 'utf8')) as string[]
