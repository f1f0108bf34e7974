import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutgoing } from './outgoing.ts'

const server = createServer((request, reply) => {
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
})
