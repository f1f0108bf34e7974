import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '@stoa/sdk/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MOST_ENDS } from '../../host-server/shared/run-record.ts'
import type { Beast, ZooSite } from './zoo-site.ts'
import { openZoo } from './zoo-site.ts'

const GREEDY = 'const all = new Map(); for (let i = 0; ; i++) all.set(i, new Array(1000).fill(i))'
const FOREVER = 'const end = Date.now() + 60000; while (Date.now() < end) for (let i = 0; i < 1e6; i++);'
const reads = (body: string) => `const { read, reading } = require('@stoa/sdk/server')
  module.exports.default = { functions: [reading(read('beast.read'), async (ctx, { fine }) => { if (fine) return 'fine'; ${body} })] }`
const readRoute = `ctx.routes([route({ method: 'GET', path: '/zoo/beast', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('beast.read') })])`
const needing = (needs: string, provides: string): Beast => ({
  manifest: { needs: { [needs]: '^1.0.0' }, provides: { [provides]: '1.0.0' } },
})

/** Refused when it is switched on; the list keeps the reason. */
const refused: [name: string, beast: Beast, reason: RegExp][] = [
  ['throws while loading', { files: { 'server.cjs': `throw new Error('no teeth')` } }, /no teeth/],
  ['throws while activating', { activate: `throw new Error('no claws')` }, /no claws/],
  ['rejects with nothing while activating', { activate: 'return Promise.reject()' }, /./],
  ['hangs while activating', { activate: 'await new Promise(() => {})' }, /activate took longer than 2 s/],
  ['exits while activating', { activate: 'process.exit(1)' }, /process.exit/],
  ['loops while activating', { activate: FOREVER }, /blocked|took longer/],
  ['loops while loading', { files: { 'server.cjs': FOREVER } }, /blocked/],
  ['registers a taken route', { activate: `ctx.routes([get('/answer/api/v1/siteinfo', () => 1)])` }, /already answered by site/],
  ['needs what needs it', needing('tail.wag', 'beast.bite'), /circle: .*beast/],
  ['is for another sdk', { manifest: { sdk: '^99.0.0' } }, /99/],
  ['has a manifest of something else', { files: { 'plugin.json': '{"slug":"beast","version":3}' } }, /version/],
  ['has no manifest that is JSON', { files: { 'plugin.json': 'slug: beast' } }, /not JSON/],
  ['names a chunk that is not there', { manifest: { build: webFacts('gone.js') } }, /gone\.js/],
  [
    'has broken reads',
    { manifest: { build: { reads: 'reads.cjs' } }, files: { 'reads.cjs': 'throw new Error("illegible")' } },
    /illegible/,
  ],
]

function webFacts(file: string): object {
  return { web: { entry: file, modules: {}, integrity: {} } }
}

/** Starts, and fails when it is called; stays on. */
const failing: [name: string, beast: Beast, status: number, kind: string][] = [
  ['throws in a route', { activate: `ctx.routes([get('/zoo/beast', () => { throw new Error('grr') })])` }, 500, 'request'],
  ['exits in a route', { activate: `ctx.routes([get('/zoo/beast', () => process.exit(0))])` }, 500, 'exit'],
  ['aborts in a route', { activate: `ctx.routes([get('/zoo/beast', () => require('node:process').abort())])` }, 500, 'exit'],
  ['throws nothing in a route', { activate: `ctx.routes([get('/zoo/beast', () => { throw undefined })])` }, 500, 'request'],
  [
    'throws in a hook that refuses',
    {
      activate: `const hook = series('beast.hook', { onFault: 'refuse' })
        ctx.on(hook, () => { throw new Error('grr') }); ctx.routes([get('/zoo/beast', () => ctx.run(hook))])`,
    },
    500,
    'request',
  ],
  [
    'hangs in a hook that is passed over',
    {
      activate: `const hook = series('beast.hook', { onFault: 'skip' })
        ctx.on(hook, () => new Promise(() => {})); ctx.routes([get('/zoo/beast', () => ctx.run(hook))])`,
    },
    200,
    'hook',
  ],
  [
    'rejects unhandled in a request',
    { activate: `ctx.routes([get('/zoo/beast', () => { Promise.reject(new Error('lost')); return 1 })])` },
    200,
    'rejection',
  ],
  [
    'throws where nobody catches, in a request',
    { activate: `ctx.routes([get('/zoo/beast', () => { process.nextTick(() => { throw new Error('lost') }); return 1 })])` },
    200,
    'exception',
  ],
  ['throws in a read', { activate: readRoute, files: { 'reads.cjs': reads(`throw new Error('grr')`) } }, 500, 'request'],
  ['hangs in a read', { activate: readRoute, files: { 'reads.cjs': reads('await new Promise(() => {})') } }, 504, 'timeout'],
]

/** Starts and fails by itself: goes into quarantine. */
const quarantined: [name: string, beast: Beast, reason: RegExp][] = [
  ['throws in a timer', { activate: `setInterval(() => { throw new Error('tick') }, 20)` }, /tick/],
  ['rejects unhandled', { activate: `setInterval(() => { Promise.reject(new Error('nobody listens')) }, 20)` }, /nobody listens/],
  ['exits in a timer', { activate: `setInterval(() => process.exit(1), 20)` }, /process.exit/],
  ['throws in what it does every second', { activate: `ctx.jobs.every('second', 1, () => { throw new Error('again') })` }, /again/],
  ['loops in a timer', { activate: `setTimeout(() => { ${FOREVER} }, 50)` }, /blocked/],
  ['loops beside others in an immediate', { activate: `setImmediate(() => {}); setImmediate(() => { ${FOREVER} })` }, /blocked/],
  ['loops in what it does every second', { activate: `ctx.jobs.every('second', 1, () => { ${FOREVER} })` }, /blocked/],
]

/** A plugin with a part of the home page and a page of its own, hand-made as the build would write them. */
function drawing({ part = `() => 'a part'`, load = '() => null' }): Beast {
  const build = { web: { entry: 'entry.js', modules: { 'web/part.js': facts('./part'), 'web/page.js': facts('./page') }, integrity: {} } }
  const contributes = {
    slots: [{ slot: 'experiences.listBefore', module: 'web/part.js' }],
    routes: [{ path: '/beast', module: 'web/page.js', layout: 'plain', render: 'server' }],
  }
  const entry = `export const init = () => {}
    const modules = { './part': { default: ${part} }, './page': { default: () => 'a page', load: ${load} } }
    export const get = async (name) => () => modules[name]`
  return { manifest: { build, contributes }, files: { 'entry.js': entry } }
}
const facts = (expose: string) => ({ expose, js: [], css: [] })

/** Fails while pages are drawn on the server; stays on, and the page goes to people without it. */
/** A busy machine takes longer to fill a memory than code may run. */
const drawn: [name: string, beast: Beast, path: string, kind: RegExp][] = [
  ['loops while its part of a page is drawn', drawing({ part: '() => { for (;;); }' }), '/', /^loop$/],
  ['takes all memory while its part of a page is drawn', drawing({ part: `() => { ${GREEDY} }` }), '/', /^(memory|loop)$/],
  ['never finishes its part of a page', drawing({ part: '() => { throw new Promise(() => {}) }' }), '/', /^page$/],
  ['throws while its part of a page is drawn', drawing({ part: `() => { throw new Error('smudged') }` }), '/', /^page$/],
  ['never has the data of its page', drawing({ load: '() => new Promise(() => {})' }), '/beast', /^page$/],
]

const databases = process.env.STOA_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'
/** On PostgreSQL only what it may make a difference for: code that fails while it reads, writes, or is called by a queue. */
const isSqlite = databases === 'sqlite'
const onSqlite = isSqlite ? it : () => undefined
const forBoth = <B extends [string, ...unknown[]]>(beasts: B[]) =>
  isSqlite ? beasts : beasts.filter(([name]) => /read|request|hook|every second/.test(name))

describe(`the zoo on ${databases}`, () => {
  let zoo: ZooSite
  let own: Awaited<ReturnType<typeof createDatabase>> | undefined
  let calls = 0

  beforeAll(async () => {
    if (!isSqlite) own = await createDatabase(process.env.STOA_TEST_PG as string)
    zoo = await openZoo(own?.url)
    zoo.add('bystander', {
      activate: `let calls = 0; ctx.routes([get('/zoo/calls', () => ++calls), get('/zoo/loops', () => globalThis.loops),
        get('/zoo/hang', () => new Promise(() => {}))])`,
    })
    zoo.add('tail', needing('beast.bite', 'tail.wag'))
    expect((await zoo.switch('bystander', true)).status).toBe(200)
  }, 120_000)
  afterAll(async () => {
    await zoo?.close()
    await own?.drop()
  }, 60_000)

  /** Pages, calls and the way back are there, and what a neighbour had in memory is too. */
  async function standsAsBefore() {
    const home = await fetch(zoo.url)
    expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('<main')])
    expect((await fetch(`${zoo.url}/rescue`, { headers: { authorization: zoo.token } })).status).toBe(200)
    expect((await zoo.call('/answer/api/v1/siteinfo')).status).toBe(200)
    expect(await zoo.call('/zoo/calls')).toMatchObject({ status: 200, data: ++calls })
  }
  async function settle(beast: Beast) {
    await zoo.switch('beast', false)
    zoo.add('beast', { files: {}, ...beast })
    return await zoo.switch('beast', true)
  }

  it.each(isSqlite ? refused : [])('refuses a plugin that %s', async (_, beast, reason) => {
    expect(await settle(beast)).toMatchObject({ status: 400, reason: 'error.plugin.start_failed' })
    expect(await zoo.row('beast')).toMatchObject({ enabled: false, state: 'failed', reason: expect.stringMatching(reason) })
    await standsAsBefore()
  })

  it.each(forBoth(failing))('keeps a plugin on that %s, and says what failed', async (_, beast, status, kind) => {
    expect(await settle(beast)).toMatchObject({ status: 200 })
    const before = (await zoo.row('beast')).faults.count
    expect((await zoo.call('/zoo/beast')).status).toBe(status)
    await expect.poll(async () => (await zoo.row('beast')).faults, { timeout: 30_000 }).toMatchObject({ count: before + 1, last: { kind } })
    expect((await zoo.row('beast')).state).toBe('on')
    await standsAsBefore()
    expect((await zoo.switch('beast', false)).status).toBe(200)
  })

  it.each(forBoth(quarantined))('puts a plugin into quarantine that %s, and tells why in both languages', async (_, beast, reason) => {
    expect(await settle(beast)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await zoo.row('beast')).state, { timeout: 40_000 }).toBe('quarantined')
    const [english, chinese] = [await zoo.row('beast', 'en_US'), await zoo.row('beast', 'zh_CN')]
    expect(english.reason).toMatch(reason)
    expect(chinese.reason).toMatch(/[一-龥]/)
    await standsAsBefore()
    expect((await zoo.switch('beast', false)).status).toBe(200)
  })

  it.each(isSqlite ? drawn : [])('keeps a plugin on that %s, and sends the page without', async (_, beast, path, kind) => {
    expect(await settle(beast)).toMatchObject({ status: 200 })
    const before = (await zoo.row('beast')).faults.count
    // The first page after a loop is left to the browser; it is asked for again until the server draws it.
    const undrawn = new Set<number>()
    const draw = async () => {
      const reply = await fetch(zoo.url + path)
      const isDrawn = /<div id="root"><\w/.test(await reply.text())
      if (!isDrawn) undrawn.add(reply.status)
      return isDrawn
    }
    await expect.poll(draw, { timeout: 60_000 }).toBe(true)
    undrawn.delete(503)
    expect([...undrawn]).toEqual([])
    const { state, faults } = await zoo.row('beast')
    expect([state, faults.last?.kind]).toEqual(['on', expect.stringMatching(kind)])
    expect(faults.count).toBeGreaterThan(before)
    expect((await zoo.switch('beast', false)).status).toBe(200)
    await standsAsBefore()
  })

  it('ends a loop in a request, answers it, and puts the plugin into quarantine', async () => {
    expect(await settle({ activate: `ctx.routes([get('/zoo/beast', () => { ${FOREVER} })])` })).toMatchObject({ status: 200 })
    expect((await zoo.call('/zoo/beast')).status).toBe(500)
    await expect.poll(async () => (await zoo.row('beast')).state, { timeout: 30_000 }).toBe('quarantined')
    await standsAsBefore()
  })

  it.each([
    ['a route', `ctx.routes([get('/zoo/sea', loop)])`, '/zoo/sea'],
    ['what every call goes through', `ctx.on(require('@stoa/sdk/server').kernelHooks.calling, loop)`, '/zoo/calls'],
  ])('stands still once for a loop in %s, however many call', async (_, activate, path) => {
    zoo.add('sea_beast', {
      files: {},
      activate: `globalThis.loops = 0; const loop = () => { globalThis.loops++; ${FOREVER} }; ${activate}`,
    })
    const asking = () => Array.from({ length: 6 }, () => zoo.call(path).then(({ status }) => status))
    expect((await zoo.switch('sea_beast', true)).status).toBe(200)
    const statuses = await Promise.all(asking())
    await expect.poll(async () => (await zoo.row('sea_beast')).state, { timeout: 40_000 }).toBe('quarantined')
    if (path === '/zoo/calls') calls += statuses.filter((status) => status === 200).length
    expect((await zoo.call('/zoo/loops')).data).toBe(1)
    await standsAsBefore()
    await zoo.switch('sea_beast', false)
  })

  const hook = `const hook = series('host.hook', { onFault: 'skip' })`
  const asking = (work: string) => `ctx.routes([get('/zoo/host', async () => { await new Promise(setImmediate); return ${work} })])`
  it.each([
    ['a tap', `${hook}; ${asking('ctx.run(hook)')}`, `${hook}; ctx.on(hook, () => { ${FOREVER} })`],
    [
      'a tap that has waited',
      `${hook}; ${asking('ctx.run(hook)')}`,
      `${hook}; ctx.on(hook, async () => { await new Promise((done) => setTimeout(done, 5)); ${FOREVER} })`,
    ],
    ['what it hears of', asking('globalThis.zooHears()'), `globalThis.zooHears = async () => { await null; ${FOREVER} }`],
  ])('answers whose call was in a loop of another plugin, and charges that one: %s', async (name, host, activate) => {
    for (const slug of ['beast', 'host']) await zoo.switch(slug, false)
    zoo.add('host', { activate: host })
    expect((await zoo.switch('host', true)).status).toBe(200)
    expect(await settle({ activate })).toMatchObject({ status: 200 })
    // A tap that is waited for may be passed over; the rest would wait for ever.
    expect([500, name.includes('waited') ? 200 : 500]).toContain((await zoo.call('/zoo/host')).status)
    await expect.poll(async () => (await zoo.row('beast')).state, { timeout: 30_000 }).toBe('quarantined')
    // So long a handler may take: what was left of the other one is over as well.
    expect((await zoo.call('/zoo/hang')).status).toBe(504)
    expect((await zoo.row('host')).faults).toMatchObject({ count: 0, last: null })
    await standsAsBefore()
    for (const slug of ['beast', 'host']) await zoo.switch(slug, false)
  })

  it('ends a loop in a transaction and goes on writing', async () => {
    const beast = { activate: `ctx.routes([get('/zoo/beast', () => ctx.db.write(async () => { ${FOREVER} }))])` }
    expect(await settle(beast)).toMatchObject({ status: 200 })
    expect((await zoo.call('/zoo/beast')).status).toBeGreaterThanOrEqual(500)
    await standsAsBefore()
    await expect.poll(async () => (await zoo.switch('beast', false)).status, { timeout: 40_000 }).toBe(200)
  })

  if (!isSqlite)
    it('ends a read that loops in the process itself, and puts the plugin into quarantine', async () => {
      expect(await settle({ activate: readRoute, files: { 'reads.cjs': reads(FOREVER) } })).toMatchObject({ status: 200 })
      expect((await zoo.call('/zoo/beast')).status).toBe(500)
      await expect.poll(async () => (await zoo.row('beast')).state, { timeout: 30_000 }).toBe('quarantined')
      await standsAsBefore()
    })

  onSqlite('replaces a read worker that loops, and puts the plugin into quarantine when it does so again', async () => {
    expect(await settle({ activate: readRoute, files: { 'reads.cjs': reads(FOREVER) } })).toMatchObject({ status: 200 })
    expect((await zoo.call('/zoo/beast')).status).toBeGreaterThanOrEqual(500)
    await expect.poll(() => zoo.log.join('\n'), { timeout: 40_000 }).toContain('error beast: loop a read, in')
    expect((await zoo.row('beast')).state).toBe('on')
    await expect.poll(async () => (await zoo.call('/zoo/beast?fine=1')).data, { timeout: 40_000 }).toBe('fine')
    expect((await zoo.call('/zoo/beast')).status).toBeGreaterThanOrEqual(500)
    await expect.poll(async () => (await zoo.row('beast')).state, { timeout: 40_000 }).toBe('quarantined')
    expect((await zoo.row('beast')).reason).toContain('a read, in')
    await standsAsBefore()
  })

  onSqlite('replaces a read worker that takes all the memory it may have', async () => {
    expect(await settle({ activate: readRoute, files: { 'reads.cjs': reads(GREEDY) } })).toMatchObject({ status: 200 })
    expect((await zoo.call('/zoo/beast')).status).toBeGreaterThanOrEqual(500)
    await expect.poll(async () => (await zoo.row('beast')).faults.last?.kind, { timeout: 40_000 }).toMatch(/^(memory|loop)$/)
    await expect.poll(async () => (await zoo.call('/zoo/beast?fine=1')).data, { timeout: 40_000 }).toBe('fine')
    await standsAsBefore()
    await zoo.switch('beast', false)
  })

  onSqlite('refuses a version of which a single byte was changed, whichever', async () => {
    const beast = drawing({})
    const texts = JSON.stringify({ server: {}, web: { plugin_name: 'Chameleon' } })
    const files = { ...beast.files, 'part.css': 'p {}', 'locales/en_US.json': texts, 'reads.cjs': reads('return 1') }
    zoo.add('chameleon', { ...beast, files })
    expect((await zoo.switch('chameleon', true)).status).toBe(200)
    const store = join(zoo.dataDir, 'plugins', '.versions', 'chameleon')
    const [key] = readdirSync(store)
    for (const name of ['plugin.json', 'server.cjs', ...Object.keys(files)]) {
      await zoo.switch('chameleon', false)
      const file = join(store, key as string, name)
      const whole = readFileSync(file)
      writeFileSync(file, Buffer.concat([whole.subarray(0, -1), Buffer.from([(whole.at(-1) as number) ^ 1])]))
      expect(await zoo.switch('chameleon', true), name).toMatchObject({ status: 400, msg: expect.stringContaining('not those that were') })
      writeFileSync(file, whole)
      expect((await zoo.switch('chameleon', true)).status, name).toBe(200)
    }
    await zoo.switch('chameleon', false)
    await standsAsBefore()
  })

  onSqlite('refuses a plugin with a file that is not the one that was built', async () => {
    const { manifest, files } = drawing({})
    const build = { web: { ...(manifest as { build: { web: object } }).build.web, integrity: { 'entry.js': 'sha384-AAAA' } } }
    expect(await settle({ manifest: { ...manifest, build }, ...(files && { files }) })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('entry.js is not the file that was built'),
    })
    await standsAsBefore()
  })

  onSqlite('goes on with what it has loaded when everything is built anew beside it', async () => {
    const { entry } = JSON.parse(readFileSync(join(zoo.builtDir, 'experiences', 'plugin.json'), 'utf8')).build.web as { entry: string }
    const away = `${zoo.builtDir}-away`
    renameSync(zoo.builtDir, away)
    for (const slug of readdirSync(away)) mkdirSync(join(zoo.builtDir, slug), { recursive: true })
    try {
      // A plugin with new code makes a fresh render worker import all of them.
      expect(await settle(drawing({ part: `() => 'drawn by a fresh worker'` }))).toMatchObject({ status: 200 })
      await expect.poll(async () => (await fetch(zoo.url)).text(), { timeout: 60_000 }).toContain('drawn by a fresh worker')
      const [, address] = /modulepreload[^>]* href="([^"]+)"[^>]* data-joined/.exec(await (await fetch(zoo.url)).text()) ?? []
      expect(await (await fetch(zoo.url + address)).text()).toContain(`"${entry}":`)
      await standsAsBefore()
    } finally {
      rmSync(zoo.builtDir, { recursive: true })
      renameSync(away, zoo.builtDir)
    }
    await zoo.switch('beast', false)
  })

  onSqlite('takes a plugin that starts slowly, and serves everybody meanwhile', async () => {
    zoo.add('sloth', { activate: `await new Promise((done) => setTimeout(done, 600)); ctx.routes([get('/zoo/sloth', () => 'here')])` })
    const [{ status }] = await Promise.all([zoo.switch('sloth', true), standsAsBefore()])
    expect(status).toBe(200)
    expect((await zoo.call('/zoo/sloth')).data).toBe('here')
    await zoo.switch('sloth', false)
  })

  it('waits for a tap that is slow, says so, and passes over one that is late', async () => {
    const tap = (ms: number) => `ctx.on(hook, (said) => new Promise((done) => setTimeout(done, ${ms}, said + '${ms} ')))`
    const hook = `const hook = waterfall('beast.said', { onFault: 'skip' })`
    const activate = `${hook}; ${tap(1100)}; ${tap(20_000)}; ${tap(1)}; ctx.routes([get('/zoo/beast', () => ctx.run(hook, ''))])`
    expect(await settle({ activate })).toMatchObject({ status: 200 })
    const { slow, count } = (await zoo.row('beast')).faults
    expect(await zoo.call('/zoo/beast')).toMatchObject({ status: 200, data: '1100 1 ' })
    const { faults } = await zoo.row('beast')
    expect(faults).toMatchObject({ count: count + 1, last: { kind: 'hook' } })
    // The late one was slow too.
    expect(faults.slow).toBeGreaterThanOrEqual(slow + 2)
    await standsAsBefore()
    await zoo.switch('beast', false)
  })

  onSqlite('delivers a huge answer and goes on', async () => {
    const beast = { activate: `ctx.routes([get('/zoo/beast', () => 'x'.repeat(100e6))])` }
    expect(await settle(beast)).toMatchObject({ status: 200 })
    expect(((await zoo.call('/zoo/beast')).data as string).length).toBe(100e6)
    await standsAsBefore()
    await zoo.switch('beast', false)
  })

  it('lets nobody switch a feature off by provoking or reporting errors', async () => {
    const fragile = `const kick = job('beast.kick')
      ctx.jobs.handle(kick, () => { throw new Error('kicked') })
      ctx.routes([get('/zoo/beast', async ({ query }) => {
        if (!query.poison) return 'fine'
        void Promise.reject(new Error('poisoned'))
        setTimeout(() => { throw new Error('poisoned') }, 1)
        await ctx.jobs.enqueue(kick, { poison: query.poison })
        throw new Error('poisoned')
      })])`
    expect(await settle({ activate: fragile })).toMatchObject({ status: 200 })
    const provoke = (n: number) =>
      zoo.call(`/zoo/beast?poison=${n % 8}`, { headers: { 'x-forwarded-for': `198.51.100.${n % 40}` } }).then(({ status }) => status)
    const answers: number[] = []
    for (let wave = 0; wave < 10; wave++) answers.push(...(await Promise.all(Array.from({ length: 40 }, (_, n) => provoke(n)))))
    expect(new Set(answers)).toEqual(new Set([500, 503]))
    const repeated = await zoo.call('/zoo/beast?poison=0', { headers: { 'x-forwarded-for': '198.51.100.0' } })
    expect(repeated).toMatchObject({ status: 503, reason: 'base.resting' })
    expect(Number(repeated.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await zoo.call('/zoo/beast')).toMatchObject({ status: 200, data: 'fine' })
    expect((await zoo.row('beast')).faults.count).toBeGreaterThan(100)
    expect((await zoo.row('beast')).state).toBe('on')
    await standsAsBefore()
  })

  it('asked to leave while a plugin loops, ends with 0 as soon as the loop is ended', async () => {
    const sign = join(zoo.dataDir, 'looping')
    const loop = `require('node:fs').writeFileSync(${JSON.stringify(sign)}, ''); ${FOREVER}`
    expect(await settle({ activate: `ctx.routes([get('/zoo/beast', () => { ${loop} })])` })).toMatchObject({ status: 200 })
    const lost = zoo.call('/zoo/beast').catch(() => undefined)
    await expect.poll(() => existsSync(sign), { timeout: 30_000 }).toBe(true)
    await zoo.restart()
    await lost
    calls = 0
    await standsAsBefore()
    await zoo.switch('beast', false)
  })

  it('comes up again with all of it', async () => {
    zoo.add('lost', { activate: `setInterval(() => { throw new Error('tick') }, 20)` })
    zoo.add('mute', { manifest: { contributes: { navigation: [{ place: 'side', path: '/mute', text: 'nav.mute' }] } } })
    expect((await zoo.switch('mute', true)).status).toBe(200)
    await zoo.switch('lost', true)
    await expect.poll(async () => (await zoo.row('lost')).state, { timeout: 40_000 }).toBe('quarantined')
    zoo.add('bystander', { activate: `let calls = 0; ctx.routes([get('/zoo/calls', () => ++calls)])` })
    zoo.add('mute', { activate: `throw new Error('not any more')` })
    await zoo.restart()
    calls = 0
    await standsAsBefore()
    expect(await zoo.row('lost')).toMatchObject({ state: 'quarantined', reason: expect.stringContaining('tick') })
    // Its folder is worse than what ran from it: that goes on.
    expect(await zoo.row('mute')).toMatchObject({ enabled: true, reason: expect.stringContaining('not any more') })
  })

  const describeOnSqlite = isSqlite ? describe : () => undefined
  describeOnSqlite('a process that ends by itself', { timeout: 180_000 }, () => {
    /** Past the guards, as native code that fails. */
    const die = `globalThis.process.kill(process.pid, 'SIGKILL')`
    const rescue = async () => await (await fetch(`${zoo.url}/rescue`, { headers: { authorization: zoo.token } })).text()
    const setSafeMode = (on: boolean) =>
      fetch(`${zoo.url}/rescue/safe-mode`, {
        method: 'POST',
        body: new URLSearchParams({ on: String(on) }),
        headers: { authorization: zoo.token },
      })
    beforeEach(async () => {
      calls = 0
      await setSafeMode(false)
      await zoo.restart()
    }, 120_000)

    it('while it starts a plugin, puts that plugin into quarantine when it comes up again', async () => {
      const ended = zoo.ended()
      await settle({ activate: 'globalThis.process.abort()' }).catch(() => undefined)
      await ended
      await zoo.start()
      expect(await zoo.row('beast')).toMatchObject({ enabled: false, state: 'failed', reason: expect.stringContaining('whole process') })
      await standsAsBefore()
    })

    it('while it takes over a folder that changed, goes on with the version before', async () => {
      zoo.add('beast', { manifest: { version: '2.0.0' }, activate: `ctx.routes([get('/zoo/beast', () => 'two')])` })
      expect((await zoo.switch('beast', true)).status).toBe(200)
      await zoo.kill()
      zoo.add('beast', { manifest: { version: '3.0.0' }, activate: die })
      await expect(zoo.start()).rejects.toThrow('ended')
      await zoo.start()
      expect((await zoo.call('/zoo/beast')).data).toBe('two')
      expect(await zoo.row('beast')).toMatchObject({
        state: 'on',
        version: '2.0.0',
        reason: expect.stringMatching(/3\.0\.0.*whole process/),
      })
      await standsAsBefore()
      await zoo.switch('beast', false)
    })

    it('again and again, starts in safe mode and says why, until somebody leaves it', async () => {
      expect(await settle({ activate: `ctx.routes([get('/zoo/beast', () => ${die})])` })).toMatchObject({ status: 200 })
      for (let n = 0; n < MOST_ENDS; n++) {
        expect(await rescue()).not.toContain('data-own')
        const ended = zoo.ended()
        await zoo.call('/zoo/beast').catch(() => undefined)
        await ended
        await zoo.start()
      }
      expect(await rescue()).toContain('data-own')
      expect((await fetch(`${zoo.url}/zoo/beast`)).status).toBe(404)
      expect((await fetch(zoo.url)).status).toBe(200)
      await setSafeMode(false)
      expect(await rescue()).not.toContain('data-own')
      expect((await zoo.switch('beast', false)).status).toBe(200)
      await standsAsBefore()
    })
  })
})
