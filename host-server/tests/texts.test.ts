import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { TextBook } from '../kernel/runtime/texts.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'

const root = mkdtempSync(join(tmpdir(), 'stoa-texts-'))
afterAll(() => rmSync(root, { recursive: true }))

/** A plugin with these texts for the server. */
function plugin(slug: string, texts: Record<string, Record<string, string>>): DiscoveredPlugin {
  const folder = join(root, slug)
  mkdirSync(join(folder, 'locales'), { recursive: true })
  for (const [language, server] of Object.entries(texts))
    writeFileSync(join(folder, 'locales', `${language}.json`), JSON.stringify({ server }))
  return { folder, generation: slug, manifest: { slug, contributes: {} } } as unknown as DiscoveredPlugin
}
const languages = {
  manifest: { slug: 'languages', contributes: { language: [{ code: 'zh_CN', label: '中文' }] } },
  folder: root,
  generation: 'languages',
} as unknown as DiscoveredPlugin

describe('texts of the server', () => {
  const book = new TextBook([
    languages,
    plugin('notes', {
      en_US: {
        'error.notes.many_one': '{{count}} note',
        'error.notes.many_other': '{{count}} notes',
        'error.notes.full': 'Full: {{name}}',
        only: 'English',
      },
      zh_CN: { 'error.notes.many_other': '{{count}} 条', 'error.notes.full': '满了：{{name}}' },
    }),
    plugin('mail', { en_US: { greeting: 'Hello {{name}}, $t(only)' } }),
  ])
  const text = (key: string, values?: Record<string, unknown>, language = 'en_US', site = 'en_US') => book.text(key, values, language, site)

  it('have the form of the number in the language that they are found in', () => {
    expect([1, 2].map((count) => text('error.notes.many', { count }))).toEqual(['1 note', '2 notes'])
    expect([1, 2].map((count) => text('error.notes.many', { count }, 'zh_CN'))).toEqual(['1 条', '2 条'])
    expect(text('error.notes.many', { count: 1 }, 'fr_FR', 'zh_CN')).toBe('1 条')
    expect(text('error.notes.many', { count: 1 }, 'fr_FR', 'de_DE')).toBe('1 note')
  })

  it('come from the language, else from that of the site, else from English; the key is left where nobody has it', () => {
    expect(text('error.notes.full', { name: 'a' }, 'zh_CN')).toBe('满了：a')
    expect(text('error.notes.full', { name: 'a' }, 'fr_FR', 'zh_CN')).toBe('满了：a')
    expect(text('only', {}, 'zh_CN', 'zh_CN')).toBe('English')
    expect(text('error.notes.none', { name: 'a' }, 'zh_CN', 'zh_CN')).toBe('error.notes.none')
  })

  it('keep names without a value, and escape nothing', () => {
    expect(text('error.notes.full')).toBe('Full: {{name}}')
    expect(text('error.notes.full', { name: '<b>&' })).toBe('Full: <b>&')
  })

  it('hold other texts, and values that look like it stay values', () => {
    expect(text('greeting', { name: 'Ming' })).toBe('Hello Ming, English')
    expect(text('error.notes.full', { name: '$t(only) {{count}}', count: 1 })).toBe('Full: $t(only) {{count}}')
    expect(text('greeting', { name: '$t(only' })).not.toBe('Hello English, English')
  })
})
