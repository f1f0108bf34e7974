import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallTurns } from '../http/call-turns.ts'
import { askAlone } from './ask-alone.ts'
import type { Reply, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

/** Calls of one network that a plugin answers at the same time: sixteen that anybody may have, and eight of its own. */
const BEGUN = 24

/** `/toys/slow` is answered when the gate is opened, or given up when who has asked leaves. */
const gate = (version: string) => ({
  manifest: { version, probe: '/toys/quick' },
  activate: `let open
    const opened = new Promise((resolve) => { open = resolve })
    let asked = 0
    ctx.routes([
      get('/toys/slow', async ({ signal }) => {
        asked++
        await Promise.race([opened, new Promise((resolve) => signal.addEventListener('abort', resolve))])
        return '${version}'
      }),
      get('/toys/quick', () => 'quick'),
      get('/toys/asked', () => asked),
      route({ method: 'POST', path: '/toys/open', access: 'open', summary: 'opens', reply: Type.Unknown(), handle: () => open() }),
    ])`,
})

let site: ToySite

async function start(limits: { waitingOfOne?: number; roomMs?: number } = {}): Promise<void> {
  site = await startToySite(
    { gate: gate('1.0.0'), clock: { activate: `ctx.routes([get('/toys/clock', () => 'noon')])` } },
    {
      pluginDirs: [join(import.meta.dirname, '..', '..', 'build', 'plugins')],
      only: ['locale-en-us', 'locale-zh-cn', 'gate', 'clock'],
      trustProxy: ['127.0.0.1'],
      limits: { roomMs: 3_600_000, ...limits },
    },
  )
  for (const slug of ['gate', 'clock']) expect((await site.switch(slug, true)).status).toBe(200)
}

async function from(address: string, path = '/toys/slow', headers: Record<string, string> = {}, signal?: AbortSignal) {
  const { text, ...reply } = await askAlone(site.kernel.url + path, { 'x-forwarded-for': address, ...headers }, signal)
  return { ...reply, ...(JSON.parse(text) as Omit<Reply, 'status'>) }
}
const many = (count: number, address: string, signal?: AbortSignal) =>
  Array.from({ length: count }, () => from(address, '/toys/slow', {}, signal))
/** What was sent before has been heard. */
async function heard(): Promise<void> {
  expect((await askAlone(`${site.kernel.url}/healthz`)).status).toBe(200)
}
/** So many of this address wait that one more is put off; else it waits too. */
async function isPutOff(address: string): Promise<boolean> {
  let status: number | undefined
  void from(address).then(
    (reply) => {
      status = reply.status
    },
    () => undefined,
  )
  for (let n = 0; n < 3; n++) await heard()
  return status === 503
}
const fills = (address: string) => expect.poll(() => isPutOff(address)).toBe(true)
const open = async () => expect((await site.call('POST', '/toys/open')).status).toBe(200)

describe('calls', () => {
  afterEach(() => site.close())

  it('wait behind those of the same network: who asks for many holds up nobody else', async () => {
    const most = 300
    await start({ waitingOfOne: most })
    // Two addresses of one customer.
    const calls = Array.from({ length: BEGUN + most }, (_, n) => from(`2001:db8::${(n % 2) + 1}`))
    await fills('2001:db8::3')
    expect(await from('2001:db8:0:1::1', '/toys/quick')).toMatchObject({ status: 200, data: 'quick' })
    expect((await from('10.0.0.2', '/toys/asked')).data).toBe(BEGUN)
    await open()
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  })

  it('of somebody who is known wait apart from those of visitors of the same network', async () => {
    await start({ waitingOfOne: 1 })
    const authorization = await site.token()
    expect((await from('10.0.0.1', '/toys/quick', { authorization })).status).toBe(200)
    const calls = many(BEGUN + 1, '10.0.0.1')
    await fills('10.0.0.1')
    expect((await from('10.0.0.1', '/toys/quick', { authorization })).data).toBe('quick')
    await open()
    await Promise.all(calls)
  })

  it('of one plugin keep nobody waiting who asks another', async () => {
    await start({ waitingOfOne: 1 })
    const calls = many(BEGUN + 1, '10.0.0.1')
    await fills('10.0.0.1')
    expect((await from('10.0.0.1', '/toys/clock')).data).toBe('noon')
    await open()
    await Promise.all(calls)
  })

  it('are put off in words when too many of one network wait', async () => {
    await start({ waitingOfOne: 1 })
    const calls = many(BEGUN + 1, '10.0.0.1')
    await fills('10.0.0.1')
    for (const [language, words] of [
      ['en-US', 'The server is busy right now'],
      ['zh-CN', '服务器正忙'],
    ] as const) {
      const refused = await from('10.0.0.1', '/toys/slow', { 'accept-language': language })
      expect(refused).toMatchObject({ status: 503, reason: 'base.busy', headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
      expect(refused.msg).toContain(words)
    }
    await open()
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(BEGUN + 1).fill(200))
  })

  it('are not begun for who has left: their place is free', async () => {
    const most = 20
    await start({ waitingOfOne: most })
    const begun = many(BEGUN, '10.0.0.1')
    await heard()
    const leaving = new AbortController()
    const left = many(most, '10.0.0.1', leaving.signal).map((call) => call.catch(() => 'left'))
    await fills('10.0.0.1')
    leaving.abort()
    await Promise.all(left)
    await expect.poll(() => isPutOff('10.0.0.1')).toBe(false)
    await open()
    await Promise.all(begun)
    expect((await from('10.0.0.2', '/toys/asked')).data).toBeLessThan(BEGUN + most)
  })

  it('that wait for something slow hold up no other of the same network', async () => {
    await start({ roomMs: 50 })
    const calls = many(4 * BEGUN, '10.0.0.1')
    await heard()
    expect((await from('10.0.0.1', '/toys/quick')).data).toBe('quick')
    await open()
    await Promise.all(calls)
  })

  it('are answered by what is on when their turn comes', async () => {
    await start()
    const leaving = new AbortController()
    const left = many(BEGUN, '10.0.0.1', leaving.signal).map((call) => call.catch(() => 'left'))
    await heard()
    const late = from('10.0.0.1')
    await heard()
    site.add('gate', gate('1.1.0'))
    const swapped = site.kernel.reload('gate')
    await expect.poll(() => site.kernel.plugins.list().find(({ slug }) => slug === 'gate')?.version).toBe('1.1.0')
    leaving.abort()
    await Promise.all([...left, swapped])
    await open()
    expect((await late).data).toBe('1.1.0')
  })
})

describe('places of calls that wait for something slow', () => {
  afterEach(() => void vi.useRealTimers())

  it('are replaced, not added to: when they end, nobody takes them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const turns = new CallTurns({ waitingOfOne: 100, roomMs: 250 })
    const begun: ServerResponse[] = []
    const ends = (res: ServerResponse | undefined) => {
      res?.emit('close')
      return setImmediate()
    }
    for (let n = 0; n < 2 * BEGUN; n++) {
      const res = new ServerResponse(new IncomingMessage(new Socket()))
      turns.take(
        res,
        () => 'gate 10.0.0.1',
        () => void begun.push(res),
      )
    }
    expect(begun).toHaveLength(BEGUN)
    vi.advanceTimersByTime(250)
    expect(begun).toHaveLength(BEGUN + 8)
    for (const slow of begun.slice(16, BEGUN)) await ends(slow)
    expect(begun).toHaveLength(BEGUN + 8)
    await ends(begun[BEGUN])
    expect(begun).toHaveLength(BEGUN + 9)
    expect(turns.waiting).toBe(BEGUN - 9)
  })
})
