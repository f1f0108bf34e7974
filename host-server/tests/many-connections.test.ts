import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

/** Enough to show whether each costs something that has an end; what a process holds without noticing is measured by the bench. */
const STREAMS = 1_000
const SLOW = 500

let site: ToySite
const sockets: Socket[] = []
beforeAll(async () => {
  const pinger = { activate: `ctx.routes([get('/toys/ping', () => 'pong')])` }
  site = await startToySite({ pinger, bell: {} }, { coreDir: join(import.meta.dirname, '..', '..', 'build', 'core') })
  expect((await site.switch('pinger', true)).status).toBe(200)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await site?.close()
})

/** A connection that has sent this and waits. */
function open(text: string): { socket: Socket; heard: () => string } {
  let heard = ''
  const socket = connect({ port: Number(new URL(site.kernel.url).port), host: '127.0.0.1' }, () => socket.write(text))
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', () => undefined)
  sockets.push(socket)
  return { socket, heard: () => heard }
}
const ping = async () => (await site.call('GET', '/toys/ping')).data

describe('with many connections that ask for nothing', () => {
  it(`answers others, and tells ${STREAMS} open tabs of a switch`, async () => {
    const tabs = Array.from({ length: STREAMS }, () => open('GET /stoa/events HTTP/1.1\r\nHost: x\r\n\r\n'))
    const hearing = (times: number) => tabs.filter(({ heard }) => heard().split('event: map').length > times).length
    await expect.poll(() => hearing(1), { timeout: 30_000 }).toBe(STREAMS)
    expect(await ping()).toBe('pong')
    expect((await site.switch('bell', true)).status).toBe(200)
    await expect.poll(() => hearing(2), { timeout: 30_000 }).toBe(STREAMS)
    for (const { socket } of tabs) socket.destroy()
  })

  it(`answers others while ${SLOW} never finish what they began to send`, async () => {
    const begun = ['GET /toys/ping HTTP/1.1\r\nHost:', 'POST /toys/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"a', 'G']
    const slow = Array.from({ length: SLOW }, (_, n) => open(begun[n % begun.length] as string))
    await expect.poll(() => slow.every(({ socket }) => !socket.connecting && socket.pending === false)).toBe(true)
    for (let n = 0; n < 20; n++) expect(await ping()).toBe('pong')
  })

  it('ends in time when it is asked to leave', async () => {
    open('GET /stoa/events HTTP/1.1\r\nHost: x\r\n\r\n')
    const before = performance.now()
    await site.restart()
    expect(performance.now() - before).toBeLessThan(30_000)
    expect(await ping()).toBe('pong')
  }, 60_000)
})
