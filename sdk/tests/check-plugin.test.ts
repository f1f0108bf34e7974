import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KnownContract } from '../build/index.ts'
import { checkPlugin, knownContracts, typesOfManifest } from '../build/index.ts'
import { meant, nearest } from '../kernel/nearest.ts'

const texts = {
  web: { page: { title: 'Books', count_one: '{{count}} book', count_other: '{{count}} books' } },
  server: { 'error.book.lost': 'Lost' },
}

let root: string
let known: Map<string, KnownContract>
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'stoa-check-'))
  write('library', {
    'plugin.json': json({
      slug: 'library',
      provides: { library: '1.0.0' },
      points: { 'library.shelves': {} },
      contributes: { guards: [{ name: 'hasCard', module: 'web/card.ts' }] },
    }),
    'shared/api.ts': `import { service, slots } from '@stoa/sdk'
export const loans = service<object>('library.loans')
export const librarySlots = { below: slots<{ n: number }>('library.below', { was: ['book.below'] }) }`,
    'web/card.ts': 'export default () => "pass"',
  })
  known = await knownContracts([join(root, 'library')])
})
afterAll(() => rmSync(root, { recursive: true }))

const json = (facts: object) => JSON.stringify({ version: '1.0.0', type: 'route', sdk: '^1.0.0', ...facts })

function write(slug: string, files: Record<string, string>): string {
  const folder = join(root, slug)
  rmSync(folder, { recursive: true, force: true })
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return folder
}

function check(facts: object, files: Record<string, string> = {}) {
  const all = {
    'locales/en_US.json': JSON.stringify(texts),
    'locales/zh_CN.json': JSON.stringify(texts),
    'web/page.tsx': 'export default () => null',
    ...files,
  }
  return checkPlugin(write('reader', { 'plugin.json': json({ slug: 'reader', ...facts }), ...all }), known)
}
const page = { path: '/read', module: 'web/page.tsx', layout: 'main', title: 'page.title' }

describe('contracts that are installed as packages', () => {
  it('are known in a project below the folder whose package.json names them', async () => {
    write('projects', {
      'package.json': JSON.stringify({ devDependencies: { 'harbour-contract': '^1.2.0' } }),
      'node_modules/harbour-contract/package.json': JSON.stringify({ version: '1.2.0', type: 'module', exports: { './api': './api.js' } }),
      'node_modules/harbour-contract/api.js': `import { service } from '@stoa/sdk'\nexport const berths = service('harbour.berths')`,
      'ferry/plugin.json': json({ slug: 'ferry' }),
      'ferry/package.json': JSON.stringify({ devDependencies: {} }),
    })
    const ferry = join(root, 'projects', 'ferry')
    expect((await knownContracts([ferry], ferry)).get('harbour')).toMatchObject({
      module: 'harbour-contract/api',
      version: '1.2.0',
      tokens: [{ id: 'harbour.berths' }],
    })
  })
})

describe('stoa-plugin check', () => {
  it('finds nothing in what is right', () => {
    const contributes = {
      routes: [{ ...page, guards: ['loggedIn', 'library.hasCard'] }],
      slots: [
        { slot: 'library.below', module: 'web/page.tsx' },
        { slot: 'kernel.aside', module: 'web/page.tsx' },
      ],
      navigation: [{ place: 'side', path: '/read', text: 'page.title', icon: 'book' }],
      'library.shelves': ['novels'],
    }
    expect(check({ $schema: './manifest.schema.json', needs: { library: '^1.0.0' }, contributes })).toEqual({ errors: [], warnings: [] })
  })

  it.each<[string, object, string]>([
    [
      'a member',
      { contributes: { navigations: [] } },
      '"contributes.navigations" is no member that anything reads. Did you mean navigation?',
    ],
    [
      'a member of a page',
      { contributes: { routes: [{ ...page, gaurds: [] }] } },
      '"contributes.routes[0].gaurds" is no member that anything reads. Did you mean guards?',
    ],
    ['a contract', { wants: { librray: '^1.0.0' } }, 'names the contract "librray", which is not installed here. Did you mean library?'],
    ['a token', { wants: { 'library.lons': '^1.0.0' } }, 'names library.lons; library has no such token. Did you mean library.loans?'],
    [
      'a slot',
      { contributes: { slots: [{ slot: 'library.bellow', module: 'web/page.tsx' }] } },
      'fills the slot library.bellow, which nobody has. Did you mean library.below?',
    ],
    ['a slot of the kernel', { contributes: { slots: [{ slot: 'kernel.asides', module: 'web/page.tsx' }] } }, 'Did you mean kernel.aside?'],
    [
      'a point',
      { contributes: { 'library.shelfs': [] } },
      'fills the point library.shelfs, which nobody has. Did you mean library.shelves?',
    ],
    [
      'a guard',
      { contributes: { routes: [{ ...page, guards: ['loggedin'] }] } },
      'asks the guard loggedin, which nobody has: nobody will see it. Did you mean loggedIn?',
    ],
    ["another plugin's guard", { contributes: { routes: [{ ...page, guards: ['library.hascards'] }] } }, 'Did you mean library.hasCard?'],
    [
      'a text',
      { contributes: { routes: [{ ...page, title: 'page.titel' }] } },
      'names the text page.titel; no language has it. Did you mean page.title?',
    ],
  ])('finds a misspelt name of %s', (_, facts, sentence) => {
    expect(check(facts).errors).toEqual([expect.stringContaining(sentence)])
  })

  it('finds a missing language, and texts that only one has', () => {
    const { 'error.book.lost': _, ...server } = texts.server
    expect(check({}, { 'locales/zh_CN.json': JSON.stringify({ ...texts, server }) }).errors).toEqual([
      'locales/zh_CN.json has no text server.error.book.lost, which the other language has',
    ])
    const folder = write('reader', { 'plugin.json': json({ slug: 'reader' }), 'locales/en_US.json': JSON.stringify(texts) })
    expect(checkPlugin(folder, known).errors).toEqual(['locales/zh_CN.json is missing'])
  })

  it('warns of what it cannot know, and of former names', () => {
    const slots = [
      { slot: 'museum.hall', module: 'web/page.tsx' },
      { slot: 'book.below', module: 'web/page.tsx' },
    ]
    expect(check({ wants: { museum: '^1.0.0' }, contributes: { slots } })).toEqual({
      errors: [],
      warnings: [
        'plugin.json names the contract "museum", which is not installed here.',
        'plugin.json fills the slot museum.hall, which nobody has. Its contract is not installed here',
        'plugin.json: the slot book.below is called library.below now',
      ],
    })
  })

  it('finds texts of settings, menus and design tokens that nobody has', () => {
    const settings = [{ name: 'days', type: 'input', title: 'error.book.lsot' }]
    expect(check({ settings }).errors).toEqual([
      'plugin.json names the text error.book.lsot in "settings"; no language has it under "server". Did you mean error.book.lost?',
    ])
    const navigation = [{ place: 'library.shelfs', path: '/read', text: 'page.title' }]
    expect(check({ contributes: { navigation } }).errors).toEqual([expect.stringContaining('Did you mean library.shelves?')])
    const css = ':root { --sapce-4: 1rem; --own: 2rem } a { margin: var(--space-44); padding: var(--own) var(--other, 0) }'
    expect(check({ contributes: { styles: ['web/ink.css'] } }, { 'web/ink.css': css }).errors).toEqual([
      'web/ink.css uses --space-44, which no design token is called. Did you mean --space-4?',
      'web/ink.css sets --sapce-4, which nothing uses. Did you mean --space-4?',
    ])
  })

  it('finds contracts that the code takes values from and the manifest does not name', () => {
    const code = {
      'server/index.ts': `import { loans } from '../../library/shared/api.ts'\nexport default { needs: { loans } }`,
      'web/page.tsx': `import type { loans } from '../../library/shared/api.ts'\nexport default () => null as typeof loans | null`,
    }
    expect(check({}, code).errors).toEqual([
      'server/index.ts uses the contract library; plugin.json names it neither under "needs" nor "wants". "stoa-plugin check --fix" adds "library": "^1.0.0" to "wants"',
    ])
    expect(check({ wants: { library: '^1.0.0' } }, code).errors).toEqual([])
  })

  it('writes what ties slots to components and icons to names, for the compiler', () => {
    const slots = [{ slot: 'book.below', module: 'web/page.tsx' }]
    check({ contributes: { slots, navigation: [{ place: 'side', path: '/read', text: 'page.title', icon: 'boook' }] } })
    const source = typesOfManifest(join(root, 'reader'), known, join(root, 'out'))
    expect(source).toContain(
      `FillsSlot<(typeof import('../library/shared/api.ts'))['librarySlots']['below'], typeof import('../reader/web/page.tsx')>`,
    )
    expect(source).toContain('const icons: IconName[] = ["boook"]')
    const taps = [{ hook: 'kernel.replied', module: 'web/page.tsx', when: { status: 403 } }]
    check({ contributes: { taps, guards: [{ name: 'mayRead', module: 'web/page.tsx' }] } })
    const tied = typesOfManifest(join(root, 'reader'), known, join(root, 'out'))
    expect(tied).toContain(`JoinsHook<(typeof import('@stoa/sdk/web'))['webHooks']['replied'], typeof import('../reader/web/page.tsx')>`)
    expect(tied).toContain(`IsGuard<typeof import('../reader/web/page.tsx')>`)
  })
})

describe('the nearest name', () => {
  it('is what somebody probably meant, whatever the case', () => {
    expect(nearest('ASIDE', ['header', 'aside'])).toBe('aside')
    expect(nearest('experience.foter', ['experiences.footer', 'experiences.vote'])).toBe('experiences.footer')
  })

  it('is none where nothing is near', () => {
    expect(nearest('zebra', ['aside', 'header'])).toBeUndefined()
    expect(meant('zebra', [])).toBe('')
  })
})
