import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CalledHosts } from './called-hosts.ts'
import { createOutgoing } from './outgoing.ts'

/** Requests that are not answered before they are let go. */
const held: (() => void)[] = []
let isDown = false
let asked = 0
const server = createServer((request, reply) => {
  asked++
  if (isDown) return request.socket.destroy()
  if (request.url === '/held') return held.push(() => reply.end('done'))
  if (request.url === '/large') return reply.end('x'.repeat(5000))
  if (request.url === '/never') return undefined
  if (request.url === '/elsewhere') return reply.writeHead(302, { location: 'http://127.0.0.1/' }).end()
  const parts: Buffer[] = []
  request.on('data', (part) => parts.push(part))
  return request.on('end', () => reply.setHeader('x-method', request.method ?? '').end(Buffer.concat(parts)))
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('a request to another server', () => {
  const forbidden = { code: 'error.outgoing.forbidden' }

  it('goes to no address that is not public, however it is written', async () => {
    const send = createOutgoing([])
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      '10.0.0.1',
    ])
      await expect(send(`http://${host}:${port}/`), host).rejects.toMatchObject(forbidden)
    for (const address of ['169.254.169.254', '192.168.1.1', '172.16.0.1', '100.64.0.1', '[fe80::1]', '[fd00::1]', '224.0.0.1'])
      await expect(send(`http://${address}/`), address).rejects.toMatchObject(forbidden)
    for (const address of ['file:///etc/passwd', 'ftp://example.org/', 'data:text/plain,x', 'nonsense'])
      await expect(send(address), address).rejects.toMatchObject(forbidden)
  })

  it('goes where the operator allows it, with its method and body', async () => {
    const send = createOutgoing(['127.0.0.0/8', '::1'])
    const reply = await send(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } })
    expect([reply.status, reply.headers.get('x-method'), await reply.text()]).toEqual([200, 'POST', 'a=1'])
    await expect(send('http://10.0.0.1/')).rejects.toMatchObject(forbidden)
  })

  it('follows no redirect, and ends where a reply is too large or takes too long', async () => {
    const send = createOutgoing(['127.0.0.1'])
    const to = `http://127.0.0.1:${port}`
    expect((await send(`${to}/elsewhere`)).status).toBe(302)
    await expect(send(`${to}/large`, { maxBytes: 4000 })).rejects.toMatchObject({ code: 'error.outgoing.large' })
    await expect(send(`${to}/never`, { seconds: 0.05 })).rejects.toMatchObject({ code: 'error.outgoing.slow' })
    await expect(send(`${to}/never`, { signal: AbortSignal.timeout(20) })).rejects.toThrow()
  })

  it('is one of eight at a time to a host; a few more wait, and all others are refused at once', async () => {
    const send = createOutgoing(['127.0.0.1'])
    const to = `http://127.0.0.1:${port}/held`
    const all = Array.from({ length: 72 }, () => send(to, { seconds: 30 }))
    await expect.poll(() => held.length).toBe(8)
    await expect(send(to)).rejects.toMatchObject({ code: 'error.outgoing.busy' })
    for (let done = 0; done < all.length; done += 8) {
      await expect.poll(() => held.length).toBe(8)
      for (const go of held.splice(0)) go()
    }
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200))
    // Whoever waits is held to their own time.
    const waiting = Array.from({ length: 8 }, () => send(to, { seconds: 30 }))
    await expect.poll(() => held.length).toBe(8)
    await expect(send(to, { seconds: 0.05 })).rejects.toMatchObject({ code: 'error.outgoing.slow' })
    for (const go of held.splice(0)) go()
    await Promise.all(waiting)
    expect((await send(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it('is not sent to a host that gave no reply five times, until a while later one finds out that it is back', async () => {
    let now = 0
    const send = createOutgoing(['127.0.0.1'], new CalledHosts(() => now))
    const to = `http://127.0.0.1:${port}/`
    const resting = { code: 'error.outgoing.resting' }
    const fail = () => expect(send(to)).rejects.not.toMatchObject(resting)
    isDown = true
    for (let n = 0; n < 5; n++) await fail()
    const before = asked
    await expect(send(to)).rejects.toMatchObject({ ...resting, params: { seconds: 15 } })
    expect(asked).toBe(before)
    // Twice as long when the trial fails, and one trial at a time.
    now += 15_000
    const trial = await Promise.allSettled([send(to), send(to)])
    expect(trial.map((one) => one.status === 'rejected' && one.reason.code === resting.code)).toEqual([false, true])
    await expect(send(to)).rejects.toMatchObject({ ...resting, params: { seconds: 30 } })
    isDown = false
    now += 30_000
    expect((await send(to)).status).toBe(200)
    expect((await send(to)).status).toBe(200)
    // What a caller breaks off, and an address that is not called at all, say nothing about a host.
    for (let n = 0; n < 6; n++) await expect(send(`${to}never`, { signal: AbortSignal.timeout(5) })).rejects.toThrow()
    expect((await send(to)).status).toBe(200)
  })

  it('leaves nothing of its secrets in an error', async () => {
    const send = createOutgoing(['127.0.0.1'])
    isDown = true
    const secret = 'correct-horse-battery'
    const options = { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body: `client_secret=${secret}` }
    const error = await send(`http://user:${secret}@127.0.0.1:${port}/${secret}?key=${secret}`, options).catch((thrown) => thrown)
    isDown = false
    expect(error).toBeInstanceOf(Error)
    expect([String(error), error.stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })].join()).not.toContain(secret)
  })
})
