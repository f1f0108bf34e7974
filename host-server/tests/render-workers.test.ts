import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Toy, ToySite } from './toys.ts'
import { FILLED_MS, FILLS, startToySite, UNROLLED } from './toys.ts'

const LOOP = 'for (;;);'

const facts = (expose: string) => ({ expose, js: [], css: [] })
/** A page that is drawn on the server, one with a guard, and a part of the header of all pages; hand-made as the build would write them. */
function drawing(
  slug: string,
  { page = `return 'page of ${slug}'`, gate = `return 'pass'`, part = 'return null', tap = '' } = {},
): Toy & { entry: string } {
  const modules = {
    'web/page.js': facts('./page'),
    'web/gate.js': facts('./gate'),
    'web/part.js': facts('./part'),
    'web/tap.js': facts('./tap'),
  }
  return {
    manifest: {
      build: { web: { entry: 'entry.js', modules, integrity: {} } },
      contributes: {
        routes: [
          { path: `/${slug}/:n`, module: 'web/page.js', layout: 'main', render: 'server' },
          { path: `/${slug}`, module: 'web/page.js', layout: 'main', render: 'server', guards: ['gate'] },
        ],
        guards: [{ name: 'gate', module: 'web/gate.js' }],
        taps: tap === '' ? [] : [{ hook: 'kernel.beforeNavigate', module: 'web/tap.js', render: 'server' }],
        slots: [{ slot: 'kernel.headerCenter', module: 'web/part.js' }],
      },
    },
    entry: `let react
      export const init = async (scope) => { react = (await Object.values(scope.react)[0].get())() }
      const modules = {
        './page': { default: function page() { ${page} } },
        './gate': { default: { kind: 'guard', check: function gate() { ${gate} } } },
        './tap': { default: { kind: 'tap', hook: 'kernel.beforeNavigate', run: () => { ${tap} } } },
        './part': { default: function part() { ${part} } },
      }
      export const get = async (name) => () => modules[name]`,
  }
}

let site: ToySite
afterEach(() => site.close())

/** @param pageMs what a page may take */
async function start(toys: Record<string, Toy & { entry: string }>, pageMs = 5_000): Promise<void> {
  site = await startToySite(toys, { coreDir: join(import.meta.dirname, '..', '..', 'build', 'core'), limits: { pageMs } })
  for (const [slug, { entry }] of Object.entries(toys)) {
    site.write(`${slug}/entry.js`, entry)
    expect(await site.switch(slug, true, site.kernel.plugins.epoch)).toMatchObject({ status: 200 })
  }
}
const row = async (slug: string) =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: { slug_name: string }) => entry.slug_name === slug)
async function page(path: string) {
  const response = await fetch(site.kernel.url + path, { headers: { accept: 'text/html' } })
  const root = /<div id="root">(.*)/s.exec(await response.text())?.[1] ?? ''
  const drawn = /page of \w+/.exec(root)?.[0] ?? null
  const later = response.headers.get('retry-after')
  return { status: response.status, drawn, ...(later !== null && { later: Number(later) }) }
}
/** The frame alone: who runs scripts gets the page all the same, and who does not asks again. */
const UNDRAWN = { status: 503, drawn: null, later: 10 }

describe('a worker that a plugin has ended while it drew', () => {
  it.each([
    ['loop', LOOP, 2_000],
    ['loop', UNROLLED, 2_000],
    ['memory', FILLS.map, FILLED_MS],
  ])('brings the plugin into quarantine, also when its guard did: %s', { timeout: 4 * FILLED_MS }, async (kind, gate, pageMs) => {
    await start({ beast: drawing('beast', { gate }), neighbour: drawing('neighbour') }, pageMs)
    expect(await page('/neighbour/1')).toEqual({ status: 200, drawn: 'page of neighbour' })
    const [bad, ...good] = await Promise.all([page('/beast'), ...[2, 3, 4, 5].map((n) => page(`/neighbour/${n}`))])
    expect(bad).toEqual(UNDRAWN)
    // Those that waited behind a loop for as long as a page may take are left to the browser like it.
    for (const reply of good) expect([UNDRAWN, { status: 200, drawn: 'page of neighbour' }]).toContainEqual(reply)
    await expect.poll(async () => (await row('beast')).faults, { timeout: 60_000 }).toMatchObject({ count: 1, last: { kind } })
    expect((await row('beast')).state).toBe('on')
    expect(await page('/beast')).toEqual(UNDRAWN)
    await expect.poll(async () => (await row('beast')).state, { timeout: 60_000 }).toBe('quarantined')
    expect((await row('beast')).reason).toContain('gate')
    expect(await page('/neighbour/6')).toEqual({ status: 200, drawn: 'page of neighbour' })
    expect((await row('neighbour')).faults.count).toBe(0)
  })

  it('draws the pages of others again elsewhere', { timeout: 4 * FILLED_MS }, async () => {
    await start({ beast: drawing('beast', { page: FILLS.numbers }), neighbour: drawing('neighbour') }, FILLED_MS)
    const [bad, ...good] = await Promise.all([page('/beast/1'), ...[1, 2, 3, 4].map((n) => page(`/neighbour/${n}`))])
    expect(bad).toEqual(UNDRAWN)
    expect(good).toEqual(Array(4).fill({ status: 200, drawn: 'page of neighbour' }))
    await expect.poll(async () => (await row('beast')).faults, { timeout: 60_000 }).toMatchObject({ count: 1, last: { kind: 'memory' } })
    expect((await row('neighbour')).faults.count).toBe(0)
  })

  it('refuses a plugin that does so while its code is loaded', { timeout: 90_000 }, async () => {
    await start({ neighbour: drawing('neighbour') })
    site.add('beast', drawing('beast'))
    site.write('beast/entry.js', LOOP)
    expect(await site.switch('beast', true)).toMatchObject({ status: 400, reason: 'error.plugin.start_failed' })
    expect(await row('beast')).toMatchObject({ state: 'failed', reason: expect.stringContaining('entry.js') })
    expect(await page('/neighbour/1')).toEqual({ status: 200, drawn: 'page of neighbour' })
  })
})

describe.runIf(process.platform === 'linux')('a worker without a processor', () => {
  it('is no fault of what it draws, as long as it may be the machine that has none for it', async () => {
    const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)'
    await start({ sleeper: drawing('sleeper', { page: `${sleep}; return 'page of sleeper'` }), neighbour: drawing('neighbour') }, 1_000)
    expect(await page('/neighbour/1')).toEqual({ status: 200, drawn: 'page of neighbour' })
    expect(await page('/sleeper/1')).toEqual(UNDRAWN)
    expect((await row('sleeper')).faults.count).toBe(0)
    await expect.poll(() => page('/neighbour/2')).toEqual({ status: 200, drawn: 'page of neighbour' })
    expect(site.logged.filter((line) => line.includes('A render worker ended'))).toEqual([])
  })
})

describe('what a page waits for in vain', () => {
  const NEVER = 'throw new Promise(() => {})'
  const INSIDE = `const { createElement, Suspense } = react
    return createElement(Suspense, { fallback: null }, createElement(function never() { ${NEVER} }))`

  it.each([
    ['a part of it', { part: NEVER }],
    ['what a part has a boundary of its own for', { part: INSIDE }],
    ['a tap', { tap: 'return new Promise(() => {})' }],
  ])('is left out on the server after three times, and charged: %s', { timeout: 90_000 }, async (_, how) => {
    await start({ beast: drawing('beast', how), neighbour: drawing('neighbour', { part: `return 'part of neighbour'` }) })
    for (let n = 1; n <= 3; n++) expect(await page(`/neighbour/${n}`)).toEqual({ status: 200, drawn: 'page of neighbour' })
    expect((await row('beast')).faults).toMatchObject({ count: 3, last: { kind: 'page' } })
    expect((await row('beast')).state).toBe('failing')
    const since = performance.now()
    expect(await page('/neighbour/4')).toEqual({ status: 200, drawn: 'page of neighbour' })
    expect(performance.now() - since).toBeLessThan(3000)
    expect((await row('beast')).faults.count).toBe(3)
    expect((await row('neighbour')).faults.count).toBe(0)
    // What else it has goes on.
    expect(await page('/beast/1')).toEqual({ status: 200, drawn: 'page of beast' })
  })
})
