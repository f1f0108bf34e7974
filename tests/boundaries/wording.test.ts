import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { texts as rescueTexts } from '../../host-server/rescue/texts.ts'

const root = resolve(import.meta.dirname, '..', '..')
const banned = JSON.parse(readFileSync(join(import.meta.dirname, 'banned-phrases.json'), 'utf8')) as Record<'en' | 'zh', string[]>

function* textsIn(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, `${path}.${key}`)
}

function* textsOf(language: 'en' | 'zh'): Generator<[path: string, text: string]> {
  const ending = language === 'en' ? 'en_US.json' : 'zh_CN.json'
  const files = globSync(['plugins/*/locales/*.json', 'examples/*/locales/*.json', 'core/texts/*.json', 'sdk/ui/texts.*.json'], {
    cwd: root,
  })
  for (const file of files.filter((file) => basename(file).endsWith(ending)))
    yield* textsIn(JSON.parse(readFileSync(join(root, file), 'utf8')), file)
  yield* textsIn(rescueTexts[language === 'en' ? 'en_US' : 'zh_CN'], 'host-server/rescue/texts.ts')
}

describe('texts that people read', () => {
  it.each(['en', 'zh'] as const)('say nothing that no native speaker would (%s)', (language) => {
    const phrases = banned[language].map((phrase) => new RegExp(phrase))
    const texts = [...textsOf(language)]
    expect(texts.length).toBeGreaterThan(700)
    const found = texts.flatMap(([path, text]) =>
      phrases.filter((phrase) => phrase.test(text)).map((phrase) => `${path}: ${text} (${phrase.source})`),
    )
    expect(found).toEqual([])
  })
})
