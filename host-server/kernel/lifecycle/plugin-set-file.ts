import { pluginSetErrors } from '@stoa/sdk/kernel'

/** A plugin in a file of a set. */
export interface SetEntry {
  slug: string
  version: string
  enabled: boolean
  /** Values of its settings form by field; secrets are never in a file. */
  settings: Record<string, unknown>
}

export const SET_FORMAT = 'stoa-plugins'
const SET_VERSION = 1
const MOST_PLUGINS = 1000
const SLUG = /^[a-z][a-z0-9_-]{0,63}$/

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What goes into a file. */
export const setFile = (entries: readonly SetEntry[], madeAt: string) => ({
  format: SET_FORMAT,
  format_version: SET_VERSION,
  made_at: madeAt,
  plugins: entries.map(({ slug, version, enabled, settings }) => ({
    slug_name: slug,
    version,
    enabled,
    ...(Object.keys(settings).length > 0 && { settings }),
  })),
})

/**
 * Reads a file of a set. It is taken wholly or not at all.
 * @throws an error of `pluginSetErrors` that says what is wrong and where
 */
export function readSetFile(file: unknown): SetEntry[] {
  if (!isObject(file) || file.format !== SET_FORMAT || !Array.isArray(file.plugins)) throw pluginSetErrors.not_a_set()
  if (file.format_version !== SET_VERSION) throw pluginSetErrors.other_format({ found: String(file.format_version).slice(0, 20) })
  if (file.plugins.length > MOST_PLUGINS) throw pluginSetErrors.too_many({ most: MOST_PLUGINS })
  const entries = file.plugins.map((entry: unknown, at) => readEntry(entry, at + 1))
  const seen = new Set<string>()
  for (const { slug } of entries) {
    if (seen.has(slug)) throw pluginSetErrors.repeated({ slug })
    seen.add(slug)
  }
  return entries
}

function readEntry(entry: unknown, place: number): SetEntry {
  const wrong = (member: string) => pluginSetErrors.wrong_entry({ place, member })
  if (!isObject(entry)) throw wrong('slug_name')
  const { slug_name: slug, version, enabled, settings = {} } = entry
  if (typeof slug !== 'string' || !SLUG.test(slug)) throw wrong('slug_name')
  if (typeof version !== 'string' || version.length > 64) throw wrong('version')
  if (typeof enabled !== 'boolean') throw wrong('enabled')
  if (!isObject(settings)) throw wrong('settings')
  return { slug, version, enabled, settings }
}
