import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { i18n } from 'i18next'
import { createI18n, safeValues } from '../../../sdk/pages/i18n.ts'
import { negotiateLanguage } from '../../shared/negotiate-language.ts'
import type { DiscoveredPlugin, LocaleFile } from '../../shared/types.ts'

export const FALLBACK_LANGUAGE = 'en_US'

/** Different headers whose language is known: a site meets some dozens, and whoever makes up more gains nothing. */
const MOST_HEADERS = 200

const files = new Map<string, LocaleFile>()

/** A plugin's texts in one language; empty when it has none. Kept by generation. */
export function localeOf(plugin: Pick<DiscoveredPlugin, 'folder' | 'generation'>, language: string): LocaleFile {
  const key = `${plugin.generation}/${plugin.folder}/${language}`
  let file = files.get(key)
  if (!file) {
    const path = join(plugin.folder, 'locales', `${language}.json`)
    file = existsSync(path) && /^[A-Za-z_]+$/.test(language) ? (JSON.parse(readFileSync(path, 'utf8')) as LocaleFile) : {}
    files.set(key, file)
  }
  return file
}

/** Server texts of a set of plugins: one flat table per language. */
export class TextBook {
  readonly #languages: { code: string; label: string }[]
  readonly #i18n: i18n
  readonly #plugins: readonly DiscoveredPlugin[]
  readonly #negotiated = new Map<string, string>()
  #otherwise = ''

  constructor(plugins: readonly DiscoveredPlugin[]) {
    this.#plugins = plugins
    this.#languages = plugins.flatMap((plugin) => plugin.manifest.contributes.language ?? [])
    const codes = new Set([FALLBACK_LANGUAGE, ...this.#languages.map((language) => language.code)])
    const resources = Object.fromEntries(
      [...codes].map((code) => [code, { server: Object.assign({}, ...plugins.map((plugin) => localeOf(plugin, code).server ?? {})) }]),
    )
    this.#i18n = createI18n({ resources, lng: FALLBACK_LANGUAGE, defaultNS: 'server', keySeparator: false })
  }

  /** The key itself when no active plugin has a text for it. */
  text(key: string, params: Record<string, unknown> | undefined, language: string, siteLanguage: string): string {
    return this.#i18n.t(key, { ...safeValues(params), lngs: [language, siteLanguage, FALLBACK_LANGUAGE] })
  }

  languages(): { code: string; label: string; progress: number }[] {
    return this.#languages.map((language) => ({ ...language, progress: 100 }))
  }

  /** `Accept-Language` of a request: `zh_CN` or `zh-CN`; anything unknown or overlong is the site's language. */
  negotiate(header: string | undefined, siteLanguage: string): string {
    if (!header) return siteLanguage
    const known = this.#otherwise === siteLanguage ? this.#negotiated.get(header) : undefined
    if (known !== undefined) return known
    if (this.#otherwise !== siteLanguage || this.#negotiated.size >= MOST_HEADERS) this.#negotiated.clear()
    this.#otherwise = siteLanguage
    const language = negotiateLanguage(this.#languages, header, siteLanguage)
    this.#negotiated.set(header, language)
    return language
  }

  /** `web` branches by slug. */
  tree(language: string): Record<string, unknown> {
    return Object.fromEntries(this.#plugins.map((plugin) => [plugin.manifest.slug, localeOf(plugin, language).web ?? {}]))
  }
}
