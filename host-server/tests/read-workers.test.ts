import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Toy, ToySite } from './toys.ts'
import { FILLED_MS, FILLS, startToySite, UNROLLED } from './toys.ts'

/** What reads do to the worker that they run in. */
const DEEDS = {
  loop: 'for (;;);',
  /** While others of its message have begun. */
  'loop later': 'await null; await null; for (;;);',
  unrolled: UNROLLED,
  ...FILLS,
}
type Deed = keyof typeof DEEDS

const routes = (slug: string) => `ctx.routes([
  route({ method: 'GET', path: '/toy/${slug}', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('${slug}.read') }),
  route({ method: 'GET', path: '/toy/slow/${slug}', access: 'open', summary: 'x', reply: Type.Unknown(), lane: 'slow', read: read('${slug}.read') }),
])`
const reads = (slug: string, body: string, also = '') => `const { read, reading, decorating, decorator } = require('@stoa/sdk/server')
  module.exports.default = { functions: [reading(read('${slug}.read'), async (ctx, { deed, n }) => { ${body} })], ${also} }`

const beast: Toy = {
  activate: routes('beast'),
  reads: reads(
    'beast',
    `${Object.entries(DEEDS)
      .map(([deed, body]) => `if (deed === '${deed}') { ${body} }`)
      .join(';')}; return 'tame'`,
  ),
}
const neighbour: Toy = {
  activate: routes('neighbour'),
  reads: reads('neighbour', 'const items = [{ n, deed }]; await ctx.decorate(decorator("neighbour.item"), items); return Number(n)'),
}
/** Fills the memory in what a neighbour's list asks of it, while that one goes on with another thing. */
const parasite: Toy = {
  reads: `const { decorating, decorator } = require('@stoa/sdk/server')
    function swallow() { ${FILLS.map} }
    module.exports.default = { decorators: [decorating(decorator('neighbour.item'), async (ctx, [{ deed }]) => { if (deed === 'swallow') swallow() })] }`,
}

let site: ToySite
afterEach(() => site.close())

/** On a machine that is busy with other tests, a read of the slow lane that does nothing was seen to take half a second. */
const STUCK_MS = 1500

async function start(toys: Record<string, Toy>, stuckMs = STUCK_MS): Promise<void> {
  site = await startToySite(toys, { limits: { stuckMs, handlerMs: 2 * FILLED_MS } })
  for (const slug of Object.keys(toys)) expect(await site.switch(slug, true, site.kernel.plugins.epoch)).toMatchObject({ status: 200 })
}
const row = async (slug: string) =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: { slug_name: string }) => entry.slug_name === slug)

/** Asked for at once, in this order: what one plugin does to its worker, and what others read. */
async function together(deed: Deed, path: string) {
  const [bad, ...good] = await Promise.all([
    site.call('GET', `${path}beast?deed=${deed}`),
    ...Array.from({ length: 8 }, (_, n) => site.call('GET', `${path}neighbour?n=${n}`)),
  ])
  return { bad, good: good.map(({ status, data }) => [status, data]) }
}
const allThere = Array.from({ length: 8 }, (_, n) => [200, n])

describe.runIf(process.env.STOA_TEST_DATABASE !== 'postgres')('a worker that a read has ended', () => {
  it.each([
    ['loop', '/toy/slow/'],
    ['loop', '/toy/'],
    ['loop later', '/toy/'],
    ['unrolled', '/toy/'],
    ['numbers', '/toy/slow/'],
    ...(Object.keys(FILLS) as (keyof typeof FILLS)[]).map((fill) => [fill, '/toy/'] as const),
  ] as const)('costs nobody but who did it: %s at %s', { timeout: 4 * FILLED_MS }, async (deed, path) => {
    const kind = deed in FILLS ? 'memory' : 'loop'
    await start({ beast, neighbour }, kind === 'memory' ? FILLED_MS : STUCK_MS)
    const { bad, good } = await together(deed, path)
    expect(good).toEqual(allThere)
    expect(bad.status).toBe(500)
    expect(await row('neighbour')).toMatchObject({ state: 'on', faults: { count: 0 } })
    expect(await row('beast')).toMatchObject({ state: 'on', faults: { count: 1, last: { kind } } })
    // Again, and it is enough.
    expect((await together(deed, path)).good).toEqual(allThere)
    await expect.poll(async () => (await row('beast')).state, { timeout: 60_000 }).toBe('quarantined')
    expect((await row('neighbour')).faults.count).toBe(0)
  })

  it('and the one after it too, is no fault of what waited in both: it may be asked for again', async () => {
    await start({ beast, neighbour })
    const calls = ['beast?deed=loop&n=1', 'beast?deed=loop&n=2', 'neighbour?n=3'].map((path) => site.call('GET', `/toy/slow/${path}`))
    expect((await Promise.all(calls)).map(({ status, reason }) => [status, reason])).toEqual([
      [500, 'base.unknown'],
      [500, 'base.unknown'],
      [503, 'base.busy'],
    ])
    expect((await row('neighbour')).faults.count).toBe(0)
    expect((await site.call('GET', '/toy/slow/neighbour?n=3')).data).toBe(3)
  })

  it('is charged to whose code it was, within a read of somebody else', { timeout: 4 * FILLED_MS }, async () => {
    await start({ neighbour, parasite }, FILLED_MS)
    for (let n = 0; n < 2; n++) expect((await site.call('GET', '/toy/neighbour?deed=swallow')).status).toBe(500)
    await expect.poll(async () => (await row('parasite')).state, { timeout: 60_000 }).toBe('quarantined')
    expect((await row('parasite')).reason).toContain('swallow')
    expect((await row('neighbour')).faults.count).toBe(0)
    expect((await site.call('GET', '/toy/neighbour?deed=swallow&n=3')).data).toBe(3)
  })
})

describe.runIf(process.env.STOA_TEST_DATABASE !== 'postgres')('a read that waits for something else', () => {
  it('holds up no other, and is the one that is ended when it goes on for ever', async () => {
    await start({
      beast: { activate: routes('beast'), reads: reads('beast', 'await new Promise((done) => setTimeout(done, 50)); for (;;);') },
      neighbour,
    })
    const { bad, good } = await together('loop', '/toy/slow/')
    expect(good).toEqual(allThere)
    expect(bad.status).toBe(500)
    expect((await row('beast')).faults.last.kind).toBe('loop')
  })
})

describe.runIf(process.env.STOA_TEST_DATABASE !== 'postgres')('slow reads', () => {
  it('are begun in turns by who asks: who asks for many at once waits for them, and nobody else does', async () => {
    await start({
      beast: {
        activate: routes('beast'),
        reads: reads('beast', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60); return n'),
      },
    })
    let answered = 0
    const many = Array.from({ length: 20 }, async (_, n) => {
      const { status } = await site.call('GET', `/toy/slow/beast?n=${n}`)
      answered++
      return status
    })
    await expect.poll(() => answered, { interval: 5 }).toBeGreaterThan(0)
    expect((await site.call('GET', '/toy/slow/beast?n=mine', undefined, await site.token())).data).toBe('mine')
    expect(answered).toBeLessThan(15)
    expect(await Promise.all(many)).toEqual(many.map(() => 200))
  })
})

describe.runIf(process.env.STOA_TEST_DATABASE !== 'postgres' && process.platform === 'linux')('a worker without a processor', () => {
  it('is no fault of what it does, as long as it may be the machine that has none for it', async () => {
    const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(deed)); return n'
    await start({ beast: { activate: routes('beast'), reads: reads('beast', sleep) } })
    expect((await site.call('GET', `/toy/beast?deed=${2 * STUCK_MS}&n=1`)).data).toBe('1')
    expect((await row('beast')).faults.count).toBe(0)
    expect((await site.call('GET', '/toy/beast?deed=Infinity')).status).toBe(500)
    expect(site.logged.filter((line) => line.includes('loop'))).toHaveLength(1)
  })
})

describe.runIf(process.env.STOA_TEST_DATABASE !== 'postgres')('a worker of the short lane', () => {
  /** Each says in which worker it was; with `wait`, when it is told to go on. */
  const teller: Toy = {
    activate: `${['list', 'search', 'count'].map(routes).join(';')}; ctx.routes([
      route({ method: 'GET', path: '/toy/workers', access: 'open', summary: 'x', reply: Type.Unknown(),
        handle: async () => Object.fromEntries((await ctx.host.measures.now()).reads.map(({ lane, workers }) => [lane, workers])) }),
    ])`,
    manifest: { permissions: ['kernel.measures'] },
    reads: `const { read, reading } = require('@stoa/sdk/server')
      const me = String(Math.random())
      const tell = async (ctx, { deed }) => {
        if (deed === 'wait') await new Promise((done) => {
          const channel = new BroadcastChannel('toys')
          channel.onmessage = () => { channel.close(); done() }
        })
        return me
      }
      module.exports.default = { functions: ['list', 'search', 'count'].map((name) => reading(read(name + '.read'), tell)) }`,
  }
  const told = new BroadcastChannel('toys')
  const goOn = async (waiting: Promise<string>[]): Promise<string[]> => {
    const telling = setInterval(() => told.postMessage('go on'), 20)
    const workers = await Promise.all(waiting)
    clearInterval(telling)
    return workers
  }
  afterAll(() => told.close())
  // The first run of a read may be long for its kind, and counts for less with each that follows.
  const often = { interval: 20, timeout: 20_000 }
  let n = 0
  const worker = async (path: string): Promise<string> => (await site.call('GET', `/toy/${path}?n=${n++}`)).data
  const waiting = async (path: string): Promise<string> => (await site.call('GET', `/toy/${path}?deed=wait&n=${n++}`)).data
  const six = (path: string) => Promise.all(Array.from({ length: 6 }, () => worker(path)))

  it('is lent for brief reads of the slow lane, while that is busy, another one has nothing to do, and nobody reads what is short', async () => {
    await start({ teller })
    const slow = await worker('slow/search')
    // The second one opens when something waits.
    const both = [waiting('list'), waiting('list')]
    const short = new Set([...(await goOn(both)), ...(await six('list'))])
    expect(short).not.toContain(slow)

    // Nobody knows yet how long this one takes.
    const busy = waiting('slow/count')
    await expect.poll(() => worker('slow/search'), often).not.toBe(slow)
    const besideOthers = () => six('list').then(() => worker('slow/search'))
    await expect.poll(besideOthers, often).toBe(slow)
    await expect.poll(() => worker('slow/search'), often).not.toBe(slow)
    const lent = waiting('slow/search')
    // One is left for what is short: nobody is lent that.
    await expect.poll(() => worker('slow/search'), often).toBe(slow)
    const spared = new Set(await six('list'))
    const [where, lentTo] = await goOn([busy, lent])
    expect(where).toBe(slow)
    expect(new Set([lentTo, ...spared, slow]).size).toBe(3)
    expect(spared.size).toBe(1)
  })

  it('does what is brief alone, once the slow one has left because nobody asked anything of it', async () => {
    await start({ teller })
    await worker('list')
    const slow = await worker('slow/search')
    for (let times = 0; times < 40; times++) await worker('slow/search')
    const workers = async () => (await site.call('GET', '/toy/workers')).data
    expect(await workers()).toEqual({ short: 1, slow: 1 })
    await expect.poll(workers, { timeout: 30_000 }).toEqual({ short: 1, slow: 0 })
    const lent = await worker('slow/search')
    expect(lent).toBe(await worker('list'))
    expect(lent).not.toBe(slow)
    expect(await workers()).toEqual({ short: 1, slow: 0 })
    // A second one at the same time is too much for it.
    const both = new Set(await goOn([waiting('slow/search'), waiting('slow/search')]))
    expect(both.size).toBe(2)
    expect(both).toContain(lent)
    expect((await workers()).slow).toBe(1)
  })
})
