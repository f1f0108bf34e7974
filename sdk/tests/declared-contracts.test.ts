import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPlugins } from '../build/index.ts'
import type { Contracts, Manifest } from '../shared/manifest.ts'

/** Owns a contract of every kind of token. */
const library: Record<string, string> = {
  'plugin.json': JSON.stringify({
    slug: 'library',
    version: '3.0.0',
    type: 'route',
    sdk: '^1.0.0',
    provides: { library: '2.1.0' },
    points: { 'library.shelves': {} },
  }),
  'shared/api.ts': `import { decorator, event, filter, job, read, series, service, services, waterfall } from '@stoa/sdk'
export * from './slots.ts'
export interface Loans { lend(n: number): void }
export const loans = service<Loans>('library.loans')
export const printers = services<object>('library.printers')
export const books = read<object, object[]>('library.books')
export const lost = read<object, object[]>('library.lost')
export const bookList = decorator<object>('library.list')
export const bookFilter = filter<object>('library.filter')
export const libraryHooks = {
  beforeLoan: waterfall<(n: number) => number>('library.beforeLoan'),
  inner: { lending: series<() => void>('library.lending') },
}
export const lent = event<object>('library.lent')
export const returned = event<object>('library.returned')
export const remind = job<object>('library.remind')
export const notAToken = { kind: 'paper' }`,
  'shared/slots.ts': `import { slots } from '@stoa/sdk'
export const librarySlots = { below: slots('library.below', { was: ['book.below'] }) }`,
  'server/index.ts': `import { defineServerPlugin } from '@stoa/sdk/server'
import { lent, libraryHooks, loans } from '../shared/api.ts'
export default defineServerPlugin({
  provides: { loans },
  activate(_, ctx) {
    ctx.run(libraryHooks.beforeLoan, 1)
    ctx.emit(lent, {})
    return { loans: { lend() {} } }
  },
})`,
  'server/reads.ts': `import { defineReads, reading } from '@stoa/sdk/server'
import { bookList, books } from '../shared/api.ts'
export default defineReads({ functions: [reading(books, async (ctx) => { await ctx.decorate(bookList, []); return [] })] })`,
  'web/page.tsx': `import { Slot } from '@stoa/sdk/web'
import { librarySlots } from '../shared/api.ts'
export default () => <Slot of={librarySlots.below} />`,
}

const reader = (manifest: object, server: string, reads?: string): Record<string, string> => ({
  'plugin.json': JSON.stringify({ slug: 'reader', version: '1.0.0', type: 'route', sdk: '^1.0.0', ...manifest }),
  'server/index.ts': `import { defineServerPlugin } from '@stoa/sdk/server'\n${server}`,
  ...(reads !== undefined && { 'server/reads.ts': `import { decorating, defineReads, reading } from '@stoa/sdk/server'\n${reads}` }),
})

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'stoa-declared-'))
  write('library', { ...library, 'plugin.json': withPage(library['plugin.json'] as string) })
})
afterAll(() => rmSync(root, { recursive: true }))

const withPage = (json: string) =>
  JSON.stringify({ ...JSON.parse(json), contributes: { routes: [{ path: '/books', module: 'web/page.tsx', layout: 'main' }] } })

function write(slug: string, files: Record<string, string>): string {
  const folder = join(root, 'plugins', slug)
  rmSync(folder, { recursive: true, force: true })
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return folder
}

const build = (...slugs: string[]) =>
  buildPlugins({ folders: slugs.map((slug) => join(root, 'plugins', slug)), out: join(root, 'out'), mode: 'production', force: true })
const built = (slug: string): Contracts =>
  (JSON.parse(readFileSync(join(root, 'out', slug, 'plugin.json'), 'utf8')) as Manifest).contracts as Contracts

describe('what a plugin offers', () => {
  it('is what it implements and what it uses of its own contract, with former ids', async () => {
    expect(await build('library')).toMatchObject({ built: ['library'], failed: [], warnings: [] })
    expect(built('library')).toEqual({
      offers: {
        library: {
          version: '2.1.0',
          tokens: {
            service: ['loans'],
            read: ['books'],
            decorator: ['list'],
            event: ['lent'],
            hook: ['beforeLoan', 'lending'],
            slot: ['below'],
            point: ['shelves'],
          },
          was: { 'book.below': 'below' },
        },
      },
      uses: {},
    })
  })

  it('can be a part of the contract of another, in the version that it was built with', async () => {
    write(
      'reader',
      reader({}, `import { printers } from '../../library/shared/api.ts'\nexport default defineServerPlugin({ provides: { printers } })`),
    )
    expect(await build('reader')).toMatchObject({ built: ['reader'], failed: [] })
    expect(built('reader')).toEqual({ offers: { library: { version: '2.1.0', tokens: { services: ['printers'] } } }, uses: {} })
  })

  it('can be the whole contract of another, in its place', async () => {
    const code = `import { bookFilter, loans, returned } from '../../library/shared/api.ts'
export default defineServerPlugin({ provides: { loans }, activate(_, ctx) { ctx.emit(returned, bookFilter); return { loans: { lend() {} } } } })`
    write('reader', reader({ provides: { library: '2.0.3' } }, code))
    expect(await build('reader')).toMatchObject({ built: ['reader'], failed: [] })
    const tokens = { service: ['loans'], event: ['returned'], filter: ['filter'] }
    expect(built('reader')).toEqual({ offers: { library: { version: '2.0.3', tokens } }, uses: {} })
  })
})

const taking = `import type { Loans } from '../../library/shared/api.ts'
import { lent, libraryHooks, loans } from '../../library/shared/api.ts'
export const own: Loans | undefined = undefined
export default defineServerPlugin({ wants: { loans }, activate(_, ctx) { ctx.on(lent, () => {}); ctx.on(libraryHooks.beforeLoan, (n) => n) } })`
const decoratingList = `import { bookList, books } from '../../library/shared/api.ts'
export default defineReads({ decorators: [decorating(bookList, async (ctx) => void (await ctx.call(books, {})))] })`

describe('what a plugin takes', () => {
  it('is every token that its server parts use, needed or wanted as plugin.json and its own lists say', async () => {
    const slots = [{ slot: 'library.below', module: 'web/below.tsx' }]
    const files = reader({ needs: { library: '^2.0.0' }, contributes: { slots, 'library.shelves': ['a'] } }, taking, decoratingList)
    write('reader', { ...files, 'web/below.tsx': 'export default () => null' })
    expect(await build('reader')).toMatchObject({ built: ['reader'], failed: [], warnings: [] })
    expect(built('reader').uses).toEqual({
      library: {
        range: '^2.0.0',
        needs: {
          event: ['lent'],
          hook: ['beforeLoan', 'lending'],
          read: ['books'],
          decorator: ['list'],
          slot: ['below'],
          point: ['shelves'],
        },
        wants: { service: ['loans'] },
      },
    })
  })

  it('may have a range for one token: a key with a dot wins', async () => {
    write('reader', reader({ wants: { library: '^2.0.0', 'library.lent': '^2.1.0' } }, taking))
    await build('reader')
    expect(built('reader').uses.library).toMatchObject({ range: '^2.0.0', ranges: { lent: '^2.1.0' } })
  })

  it('is declared as sdk 1.0 had it, too', async () => {
    write('reader', reader({ wants: { 'library.loans': '^2.0.0' } }, taking))
    expect(await build('reader')).toMatchObject({ built: ['reader'], failed: [] })
    expect(built('reader').uses.library).toMatchObject({ range: '^2.0.0', wants: { service: ['loans'], event: ['lent'] } })
  })

  it('is refused where plugin.json does not name the contract, with what mends it', async () => {
    write('reader', reader({}, taking, decoratingList))
    const { failed } = await build('reader')
    expect(failed.map(({ errors }) => errors)).toEqual([
      [
        expect.stringMatching(
          /^server\/\w+\.ts uses library\.\w+, library\.\w+, library\.\w+ and 3 more; plugin\.json names "library" neither under "needs" nor "wants"\. Add "library": "\^2\.0\.0" to one of them$/,
        ),
      ],
    ])
  })

  it('is warned of where nothing of it is used', async () => {
    write('reader', reader({ wants: { library: '^2.0.0' }, needs: { museum: '^1.0.0' } }, 'export default defineServerPlugin({})'))
    expect((await build('reader')).warnings).toEqual([
      { slug: 'reader', text: 'plugin.json needs "museum", and nothing of it is used' },
      { slug: 'reader', text: 'plugin.json wants "library", and nothing of it is used' },
    ])
  })

  it('is asked of code without activating it; code that cannot be loaded is named', async () => {
    write('reader', reader({}, `throw new Error('no light')`))
    expect((await build('reader')).failed[0]?.errors).toEqual(['The server part cannot be loaded: no light'])
  })
})

describe('a page', () => {
  it('pays for the tokens that it uses, not for the contract', async () => {
    const size = async (code: string) => {
      const page = `${code}\nexport default () => null`
      write('reader', {
        'plugin.json': JSON.stringify({
          ...{ slug: 'reader', version: '1.0.0', type: 'route', sdk: '^1.0.0', wants: { library: '^2.0.0' } },
          contributes: { routes: [{ path: '/read', module: 'web/page.tsx', layout: 'main' }] },
        }),
        'web/page.tsx': page,
      })
      await build('reader')
      const { build: facts } = JSON.parse(readFileSync(join(root, 'out/reader/plugin.json'), 'utf8')) as {
        build: { web: { modules: Record<string, { js: string[] }> } }
      }
      const files = facts.web.modules['web/page.tsx']?.js ?? []
      return files.map((file) => readFileSync(join(root, 'out/reader', file), 'utf8')).join('')
    }
    const code = await size(`import { lent } from '../../library/shared/api.ts'\nexport const token = lent`)
    expect(code).toContain('library.lent')
    expect(code).not.toMatch(/library\.(loans|books|beforeLoan|below)/)
  })
})
