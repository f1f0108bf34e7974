import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { baseErrors } from '@stoa/sdk'
import { databaseErrors, installErrors, packageErrors, pluginErrors, pluginProblems } from '@stoa/sdk/kernel'
import { describe, expect, it } from 'vitest'
import type { PluginFolder, Texts } from '../support/plugins.ts'
import { filesOf, plugins, textsOf } from '../support/plugins.ts'

const LANGUAGES = ['zh_CN', 'en_US'] as const

/** i18next chooses a form by number; every form stands for the key itself. */
const plain = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const keysOf = (branch: Record<string, string>) => [...new Set(Object.keys(branch).map(plain))].sort()
const all = (language: string): Texts[] => plugins.map(({ folder }) => textsOf(folder, language))
const knows = (branch: Record<string, string>, key: string) => key in branch || `${key}_other` in branch

/** Codes of the error tables that a module exports. */
function codesOf(module: object): string[] {
  const tables = Object.values(module).filter((value) => typeof value === 'object' && value !== null)
  const makers = tables
    .flatMap((table) => Object.values(table))
    .filter((value) => typeof value === 'function' && 'code' in value && 'definition' in value)
  return makers.map((maker) => (maker as { code: string }).code)
}

/** Text keys of the manifest, by the branch they are looked up in. */
function manifestKeys({ manifest }: PluginFolder): { web: string[]; server: string[] } {
  const { routes = [], navigation = [] } = manifest.contributes ?? {}
  const given = (values: (string | undefined)[]) => values.filter((value): value is string => Boolean(value))
  return {
    web: given([
      'plugin_name',
      'plugin_description',
      ...routes.map((route) => route.title),
      ...navigation.flatMap((entry) => [entry.text, entry.group]),
    ]),
    server: given([...(manifest.settings ?? []), ...(manifest.memberSettings ?? [])].flatMap((field) => [field.title, field.description])),
  }
}

describe.each(plugins)('texts of $slug', (plugin) => {
  const texts = Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(plugin.folder, language)])) as Record<
    (typeof LANGUAGES)[number],
    Texts
  >

  it.each(['web', 'server'] as const)('have the same keys in both languages (%s)', (branch) => {
    // A language's own texts belong to that language alone.
    if (plugin.manifest.contributes?.language) return
    expect(keysOf(texts.zh_CN[branch])).toEqual(keysOf(texts.en_US[branch]))
  })

  it('are in forms by number in every language where they are in one, and use nothing else of the format', () => {
    // The format knows more; translators of the texts that come with the site need to know this much. A form of another language, which fills
    // what is missing, is taken before a text without one.
    const forms = (branch: Record<string, string>) =>
      Object.keys(branch)
        .filter((key) => /_(one|other)$/.test(key))
        .map(plain)
    const wanted = [...forms(texts.zh_CN.web), ...forms(texts.en_US.web)]
    for (const language of LANGUAGES) {
      const { web } = texts[language]
      if (Object.keys(web).length > 0)
        expect(
          wanted.filter((key) => !(`${key}_other` in web)),
          language,
        ).toEqual([])
      expect(
        Object.values(web).filter((text) => /\$t\(|\{\{[^}]*[^\w.\s}]/.test(text)),
        language,
      ).toEqual([])
    }
  })

  it('name the same values in both languages', () => {
    const names = (text = '') => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort()
    const differing = (['web', 'server'] as const).flatMap((branch) =>
      Object.keys(texts.en_US[branch]).filter(
        (key) =>
          key in texts.zh_CN[branch] &&
          String(names(texts.en_US[branch][key])) !== String(names(texts.zh_CN[branch][key])) &&
          plain(key) === key,
      ),
    )
    expect(differing).toEqual([])
  })

  it('exist for everything the manifest shows', () => {
    const { web, server } = manifestKeys(plugin)
    for (const language of LANGUAGES) {
      expect(
        web.filter((key) => !knows(texts[language].web, key)),
        language,
      ).toEqual([])
      expect(
        server.filter((key) => !knows(texts[language].server, key)),
        language,
      ).toEqual([])
    }
  })

  it('exist for every error of its contract', async () => {
    const file = join(plugin.folder, 'shared', 'api.ts')
    if (!existsSync(file)) return
    const codes = codesOf(await import(resolve(file)))
    for (const language of LANGUAGES)
      expect(
        codes.filter((code) => !knows(texts[language].server, code)),
        language,
      ).toEqual([])
  })

  it('exist for every key of an error in its server code', () => {
    const used = [...filesOf(plugin, 'server/**/*.ts').values()].flatMap((source) =>
      [...source.matchAll(/'(error\.[\w.]+\w)'/g)].map((match) => match[1] as string),
    )
    for (const language of LANGUAGES) {
      const known = all(language)
      const missing = used.filter(
        (key) => !known.some(({ server }) => knows(server, key) || Object.keys(server).some((other) => other.startsWith(`${key}.`))),
      )
      expect([...new Set(missing)], language).toEqual([])
    }
  })

  it('exist for every key that its pages show', () => {
    for (const [file, source] of filesOf(plugin, 'web/**/*.{ts,tsx}')) {
      const spaces = [plugin.slug, ...[...source.matchAll(/useText\('([\w-]+)'\)/g)].map((match) => match[1] as string)]
      const folders = plugins.filter(({ slug }) => spaces.includes(slug)).map(({ folder }) => folder)
      const used = [...source.matchAll(/\bt\('([\w.-]+)'/g)].map((match) => match[1] as string)
      for (const language of LANGUAGES) {
        const known = folders.map((folder) => textsOf(folder, language).web)
        expect(
          used.filter((key) => !known.some((branch) => knows(branch, key))),
          `${file}, ${language}`,
        ).toEqual([])
      }
    }
  })
})

it('exist for the errors of the kernel, in every language', () => {
  const codes = codesOf({ baseErrors, databaseErrors, installErrors, packageErrors, pluginErrors, pluginProblems })
  for (const language of LANGUAGES) {
    const known = all(language)
    expect(
      codes.filter((code) => !known.some(({ server }) => knows(server, code))),
      language,
    ).toEqual([])
  }
})
