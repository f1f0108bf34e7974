import { describe, expect, it } from 'vitest'
import type { TextTree } from '../kernel/texts.ts'
import { createTexts } from '../kernel/texts.ts'

const never = () => new Promise<TextTree>(() => {})

/** One text of a tree in a language. */
function said(tree: TextTree, key: string, values?: Record<string, unknown>, language = 'en_US'): string {
  const texts = createTexts(never, 'en_US')
  texts.add('notes', language, tree)
  return texts.translator('notes', language)(key, values)
}

describe('a text', () => {
  it('is found by its dotted key; one that nobody has is its key', () => {
    expect(said({ list: { title: 'Notes' } }, 'list.title')).toBe('Notes')
    for (const key of ['list', 'list.titles', 'title', 'error: what', 'a:b.c', 'constructor'])
      expect(said({ list: { title: 'Notes' } }, key)).toBe(key)
  })

  it('has values put in as they are, nothing escaped', () => {
    expect(said({ hi: 'Hi {{name}}, {{ name }}!' }, 'hi', { name: '<b>"$&"</b>' })).toBe('Hi <b>"$&"</b>, <b>"$&"</b>!')
    expect(said({ n: '{{n}} of {{of}}' }, 'n', { n: 0, of: false })).toBe('0 of false')
  })

  it('keeps a name that it was given no value for', () => {
    expect(said({ hi: 'Hi {{name}} and {{other}}' }, 'hi', { name: 'Ming' })).toBe('Hi Ming and {{other}}')
    expect(said({ hi: 'Hi {{name}}' }, 'hi')).toBe('Hi {{name}}')
    expect(said({ hi: 'Hi {{name}}' }, 'hi', { name: undefined })).toBe('Hi {{name}}')
  })

  it('takes the form of the number in its language', () => {
    const tree = { votes_one: '{{count}} vote', votes_other: '{{count}} votes' }
    expect([0, 1, 2, 1.5].map((count) => said(tree, 'votes', { count }))).toEqual(['0 votes', '1 vote', '2 votes', '1.5 votes'])
    expect([0, 1, 2].map((count) => said({ votes_other: '{{count}} 票' }, 'votes', { count }, 'zh_CN'))).toEqual(['0 票', '1 票', '2 票'])
    const files = {
      files_one: '{{count}} файл',
      files_few: '{{count}} файла',
      files_many: '{{count}} файлов',
      files_other: '{{count}} файла',
    }
    expect([1, 3, 5, 21].map((count) => said(files, 'files', { count }, 'ru_RU'))).toEqual(['1 файл', '3 файла', '5 файлов', '21 файл'])
  })

  it('takes the form for others where one is missing, and the plain text where there are no forms', () => {
    expect(said({ votes_other: '{{count}} votes' }, 'votes', { count: 1 })).toBe('1 votes')
    expect(said({ votes: 'votes: {{count}}' }, 'votes', { count: 1 })).toBe('votes: 1')
    expect(said({ votes_one: 'one vote', votes: 'votes' }, 'votes', { count: '1' })).toBe('votes')
  })

  it('may have forms by context and by order, and one for none', () => {
    const tree = { welcome: 'Welcome', welcome_back: 'Welcome back', place_ordinal_one: '{{count}}st', place_ordinal_other: '{{count}}th' }
    expect(said(tree, 'welcome', { context: 'back' })).toBe('Welcome back')
    expect(said(tree, 'welcome', { context: 'unheard of' })).toBe('Welcome')
    expect([1, 4].map((count) => said(tree, 'place', { count, ordinal: true }))).toEqual(['1st', '4th'])
    expect(said({ votes_zero: 'no votes', votes_other: '{{count}} votes' }, 'votes', { count: 0 })).toBe('no votes')
  })

  it('may hold other texts, of another namespace too', () => {
    const texts = createTexts(never, 'en_US')
    texts.add('core', 'en_US', { site: 'Stoa' })
    texts.add('notes', 'en_US', { note: 'note', about: 'Your $t(note) on $t(site, {"ns": "core"}), {{name}}' })
    expect(texts.translator('notes', 'en_US')('about', { name: 'Ming' })).toBe('Your note on Stoa, Ming')
  })

  it('has its numbers grouped, unless it wants one as it is', () => {
    const tree = { left_one: '{{count}} left', left_other: '{{count}} left', since: 'Since {{- year}}, {{share}} and {{name}}' }
    expect([999, 1000, 1234567, -4321].map((count) => said(tree, 'left', { count }))).toEqual(
      ['999', '1,000', '1,234,567', '-4,321'].map((n) => `${n} left`),
    )
    expect(said(tree, 'left', { count: 12345 }, 'zh_CN')).toBe('12,345 left')
    expect(said(tree, 'since', { year: 2026, share: 0.5, name: '2026' })).toBe('Since 2026, 0.5 and 2026')
  })

  it('may have numbers, dates and lists written as its language does', () => {
    const tree = {
      size: '{{n, number}} B',
      price: '{{n, currency(CNY)}}',
      day: '{{at, datetime(year: numeric; timeZone: UTC)}}',
      all: '{{names, list}}',
    }
    expect(said(tree, 'size', { n: 1234567.5 })).toBe('1,234,567.5 B')
    expect(said(tree, 'size', { n: 1234567.5 }, 'de_DE')).toBe('1.234.567,5 B')
    expect(said(tree, 'price', { n: 5 })).toBe('CN¥5.00')
    expect(said(tree, 'price', { n: 5 }, 'zh_CN')).toBe('¥5.00')
    expect(said(tree, 'day', { at: new Date(0) }, 'zh_CN')).toBe('1970年')
    expect(said(tree, 'all', { names: ['a', 'b', 'c'] })).toBe('a, b, and c')
  })
})

describe('a value that somebody wrote', () => {
  const secret = { secret: 'a text of ours', name: 'another' }

  it('is told from others when it is said again', () => {
    const texts = createTexts(never, 'en_US')
    const tree = { n: '{{a}} and {{b}}', big: '{{n}}' }
    texts.add('notes', 'en_US', tree)
    const t = texts.translator('notes', 'en_US')
    for (const _ of [1, 2]) {
      expect(t('n', { a: 'x', b: 'y' })).toBe('x and y')
      expect(t('n', { a: 'x\0b:y', b: '' })).toBe('x\0b:y and ')
      expect(t('n', { a: 'x' })).toBe('x and {{b}}')
      // Numbers are grouped, text that looks like one is not.
      expect([t('big', { n: 1000 }), t('big', { n: '1000' }), t('big', { n: 'x'.repeat(1000) })]).toEqual([
        '1,000',
        '1000',
        'x'.repeat(1000),
      ])
    }
    texts.add('notes', 'en_US', { n: '{{a}}, {{b}}' })
    expect(texts.translator('notes', 'en_US')('n', { a: 'x', b: 'y' })).toBe('x, y')
  })

  it('is no place for another value', () => {
    expect(said({ hi: '{{a}} {{b}}' }, 'hi', { a: '{{b}}', b: 'B' })).toBe('{{b}} B')
    expect(said({ hi: '{{b}} {{a}}' }, 'hi', { a: '{{b}}', b: 'B' })).toBe('B {{b}}')
    expect(said({ hi: '{{a}}' }, 'hi', { a: '{{a}} {{- a}} {{a, number}}' })).toBe('{{a}} {{- a}} {{a, number}}')
  })

  it('never becomes a text', () => {
    for (const value of ['$t(secret)', '$t(secret, {"ns": "core"})', 'a$t(secret)b$t(name)', '$t(secret', '$t(', '$t({{b}})'])
      expect(said({ ...secret, hi: 'Hi {{a}} (see {{b}})' }, 'hi', { a: value, b: 'secret' })).toBe(`Hi ${value} (see secret)`)
  })

  it('neither opens nor closes a place that the text has', () => {
    for (const value of ['$t(', '$t(secret, {"a": 1}', '$t(secret) '])
      expect(said({ ...secret, hi: '{{a}} $t(name)' }, 'hi', { a: value })).not.toContain(secret.secret)
    expect(said({ ...secret, hi: '{{a}} $t(name)' }, 'hi', { a: 'Ming' })).toBe('Ming another')
  })
})

describe('texts of a page', () => {
  it('are fetched once, when they are first needed', async () => {
    const asked: string[] = []
    const texts = createTexts(async (namespace, language) => {
      asked.push(`${namespace} ${language}`)
      return { title: language }
    }, 'en_US')
    await Promise.all([texts.ensure('notes', 'en_US'), texts.ensure('notes', 'en_US'), texts.ensure('notes', 'zh_CN')])
    expect(texts.ensure('notes', 'en_US')).toBeUndefined()
    expect(asked).toEqual(['notes en_US', 'notes zh_CN'])
    expect(texts.translator('notes', 'zh_CN')('title')).toBe('zh_CN')
    expect(texts.namespaces()).toEqual(['notes'])
  })

  it('are their keys where they cannot be had', async () => {
    const texts = createTexts(() => Promise.reject(new Error('offline')), 'en_US')
    await texts.ensure('notes', 'en_US')
    expect(texts.translator('notes', 'en_US')('title')).toBe('title')
  })

  it('are there in part where the server has drawn with them, and come whole with the first that is missing', async () => {
    let asked = 0
    let whole = 0
    const texts = createTexts(async () => {
      asked++
      return { list: { title: 'List' }, votes_one: '{{count}} vote', votes_other: '{{count}} votes', form: { title: 'Form' } }
    }, 'en_US')
    texts.onWhole(() => whole++)
    texts.add('notes', 'en_US', { list: { title: 'List' }, votes_one: '{{count}} vote', votes_other: '{{count}} votes' }, true)
    const t = texts.translator('notes', 'en_US')
    expect(t('votes', { count: 2 })).toBe('2 votes')
    expect([t('list.title'), texts.ensure('notes', 'en_US'), asked]).toEqual(['List', undefined, 0])
    expect(t('form.title')).toBe('')
    await Promise.all([texts.ensureWhole('notes', 'en_US'), texts.ensureWhole('notes', 'en_US')])
    expect([texts.translator('notes', 'en_US')('form.title'), asked, whole]).toEqual(['Form', 1, 1])
    expect(texts.ensureWhole('notes', 'en_US')).toBeUndefined()
    texts.complete()
    expect(asked).toBe(1)
    expect(texts.groups()).toEqual({ notes: ['votes', 'list', 'form'] })
  })

  it('are replaced as a whole by a swap, and those of other languages are fetched anew when they are needed', async () => {
    let tree: TextTree = { title: 'New', added: 'Added' }
    const texts = createTexts(async () => tree, 'en_US')
    texts.add('notes', 'en_US', { title: 'Old', gone: 'Gone' })
    texts.add('notes', 'zh_CN', { title: '旧' })
    texts.add('other', 'en_US', { title: 'Other' })
    const before = texts.translator('notes', 'en_US')
    const other = texts.translator('other', 'en_US')
    expect(texts.translator('notes', 'en_US')).toBe(before)
    await texts.renew('notes', 'en_US')
    const after = texts.translator('notes', 'en_US')
    expect(after).not.toBe(before)
    expect(['title', 'added', 'gone'].map((key) => after(key))).toEqual(['New', 'Added', 'gone'])
    expect(texts.translator('other', 'en_US')).toBe(other)
    tree = { title: '新' }
    await texts.ensure('notes', 'zh_CN')
    expect(texts.translator('notes', 'zh_CN')('title')).toBe('新')
  })

  it('stay while new ones cannot be had', async () => {
    const texts = createTexts(() => Promise.reject(new Error('offline')), 'en_US')
    texts.add('notes', 'en_US', { title: 'Old' })
    await texts.renew('notes', 'en_US')
    expect(texts.translator('notes', 'en_US')('title')).toBe('Old')
  })
})
