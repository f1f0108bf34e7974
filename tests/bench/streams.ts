import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { Figure } from './figures.ts'
import type { Side } from './measure.ts'
import { ask } from './processes.ts'
import type { Switched } from './site-worker.ts'

const STREAMS = 2_000
/** So many connections are made at once. */
const AT_ONCE = 100
const KILOBYTES = 30
const REACH_MS = 1_000

interface Memory {
  /** Bytes, collected. */
  heap: number
  rss: number
}

/** What open tabs cost that wait for news, and how long a switch takes to reach the last of them. @throws when a stream is not answered */
export async function streamFigures({ url, process: site }: Side): Promise<Figure[]> {
  const { hostname, port } = new URL(url)
  const head = `GET /stoa/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\n\r\n`
  const sockets: Socket[] = []
  let told = 0
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) })
      sockets.push(socket)
      socket.setEncoding('utf8')
      socket.on('error', reject)
      socket.on('data', (text: string) => {
        if (text.includes('event: map')) {
          told++
          resolve()
        }
      })
      socket.write(head)
    })
  const before = await ask<Memory>(site, { collect: true })
  try {
    for (let n = 0; n < STREAMS; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, open))
    const after = await ask<Memory>(site, { collect: true })
    const most = told + STREAMS
    const began = performance.now()
    let reached = Number.NaN
    const arrived = new Promise<void>((resolve) => {
      for (const socket of sockets)
        socket.on('data', () => {
          if (told < most || !Number.isNaN(reached)) return
          reached = performance.now() - began
          resolve()
        })
    })
    await Promise.all([ask<Switched>(site, { switches: 1 }), arrived])
    const each = (member: keyof Memory) => (after[member] - before[member]) / STREAMS / 1024
    return [
      { name: `${STREAMS} event streams: heap of each`, value: each('heap'), unit: 'KB', most: KILOBYTES },
      { name: `${STREAMS} event streams: resident memory of each`, value: each('rss'), unit: 'KB', most: KILOBYTES },
      { name: `${STREAMS} event streams: a switch has reached all after`, value: reached, unit: 'ms', most: REACH_MS },
    ]
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
