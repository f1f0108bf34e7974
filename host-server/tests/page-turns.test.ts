import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { askAlone } from './ask-alone.ts'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const BUILT = join(import.meta.dirname, '..', '..', 'build')
/** Pages that are made at the same time. */
const BEGUN = 8

/** Every page asks for what the site says of itself, and gets it when the gate is opened. */
const gate = {
  manifest: { contributes: { boot: { site: '/toys/facts' } } },
  activate: `let open
    const opened = new Promise((resolve) => { open = resolve })
    ctx.routes([
      get('/toys/facts', async () => { await opened; return null }),
      get('/toys/open', () => open()),
    ])`,
}

let site: ToySite
afterEach(() => site.close())

/** Pages may take for ever here, since they wait for the gate. @param waitingOfOne pages of one network that may wait */
async function start(waitingOfOne: number): Promise<void> {
  site = await startToySite(
    { gate },
    {
      coreDir: join(BUILT, 'core'),
      pluginDirs: [join(BUILT, 'plugins')],
      only: ['locale-en-us', 'locale-zh-cn', 'gate'],
      trustProxy: ['127.0.0.1'],
      limits: { waitingOfOne, pageMs: 3_600_000, roomMs: 3_600_000 },
    },
  )
  expect((await site.switch('gate', true)).status).toBe(200)
}

let pages = 0
const ask = (path: string, headers?: Record<string, string>, signal?: AbortSignal) => askAlone(site.kernel.url + path, headers, signal)
/** A page that nobody has asked for before. */
const page = (address: string, { language = 'en_US', signal }: { language?: string; signal?: AbortSignal } = {}) =>
  ask(`/nowhere/${pages++}`, { accept: 'text/html', 'x-forwarded-for': address, cookie: `stoa_lang=${language}` }, signal)
/** What was sent before has been heard. */
const heard = async () => expect((await ask('/healthz')).status).toBe(200)
const open = async () => expect((await site.call('GET', '/toys/open')).status).toBe(200)

describe('pages that are to be made', () => {
  it('wait behind those of the same network: who asks for many holds up nobody else', async () => {
    const most = 200
    await start(most)
    const answers: (number | undefined)[] = []
    const more = 5
    const many = Array.from({ length: BEGUN + most + more }, async (_, n) => {
      // Two addresses of one customer.
      const { status } = await page(`2001:db8::${(n % 2) + 1}`)
      answers.push(status)
    })
    // So all others are there and wait.
    await expect.poll(() => answers).toEqual(Array(more).fill(503))
    const one = page('2001:db8:0:1::1')
    await heard()
    await open()
    expect((await one).status).toBe(404)
    expect(answers.length).toBeLessThan(more + most / 2)
    await Promise.all(many)
    expect(answers.filter((status) => status === 404)).toHaveLength(BEGUN + most)
  })

  it('are not made for who has left: their place is free', async () => {
    const most = 20
    await start(most)
    const leaving = new AbortController()
    const left = Array.from({ length: BEGUN + most }, () => page('10.0.0.1', { signal: leaving.signal }).catch(() => 'left'))
    await expect.poll(async () => (await Promise.race([page('10.0.0.1'), heard()]))?.status).toBe(503)
    leaving.abort()
    await Promise.all(left)
    const probes: Promise<void>[] = []
    const waits = async () => {
      let isRefused = false
      const probe = page('10.0.0.1').then(({ status }) => {
        isRefused = status === 503
      })
      probes.push(probe)
      for (let n = 0; n < 3; n++) await heard()
      return !isRefused
    }
    await expect.poll(waits).toBe(true)
    await open()
    await Promise.all(probes)
  })

  it('are put off in words when too many of one network wait, and asked for again by the browser', async () => {
    await start(1)
    const many = Array.from({ length: BEGUN + 1 }, () => page('10.0.0.1'))
    for (const [language, words] of [
      ['en_US', 'The server is busy right now'],
      ['zh_CN', '服务器正忙'],
    ] as const) {
      await heard()
      const refused = await page('10.0.0.1', { language })
      expect(refused.status).toBe(503)
      expect(refused.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
      expect(refused.text).toContain(`<h1>${words}`)
      expect(refused.text).toContain('<meta http-equiv="refresh" content="5">')
    }
    await open()
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(BEGUN + 1).fill(404))
  })
})
