import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { startedAs, startServer, stop } from './processes.ts'
import { openPosts } from './seeded-site.ts'

const root = resolve(import.meta.dirname, '..', '..')
/** So long nobody asks before memory is measured. */
const QUIET_MS = 20_000
const QUIET_AFTER_PAGES_MS = 60_000
const PAGES = 200

/** Start and memory of the site with everything on, as `npm start` runs it when nothing is stale; the quickest of the starts counts. */
export async function idleFigures(dataDir: string, port: number, rounds: number): Promise<Figure[]> {
  const ours: number[] = []
  const bare: number[] = []
  const megabytes = { fresh: Number.NaN, later: Number.NaN }
  for (let round = 0; round < Math.max(2, rounds); round++) {
    const began = performance.now()
    const plain = await startServer('bare-worker.ts', [join(dataDir, 'stoa.db'), String(port)])
    bare.push(performance.now() - began)
    await stop([plain])
    const site = await startSite(dataDir, port)
    ours.push(site.ms)
    if (round === 0) {
      await sleep(QUIET_MS)
      megabytes.fresh = residentMegabytes(site.process.pid as number)
      await render(`http://127.0.0.1:${port}`, dataDir)
      await sleep(QUIET_AFTER_PAGES_MS)
      megabytes.later = residentMegabytes(site.process.pid as number)
    }
    const ended = once(site.process, 'exit')
    site.process.kill('SIGTERM')
    await ended
  }
  return [
    { name: 'start beyond a bare start', value: Math.min(...ours) - Math.min(...bare), unit: 'ms', most: 1500 },
    { name: 'resident memory when idle, fresh', value: megabytes.fresh, unit: 'MB', most: 300 },
    { name: `resident memory when idle, after ${PAGES} pages`, value: megabytes.later, unit: 'MB', most: 300 },
  ]
}

/** Has home, lists and posts rendered. @throws when a page fails */
async function render(url: string, dataDir: string): Promise<void> {
  const posts = openPosts(dataDir, PAGES / 2).map((n) => `/experiences/${10_010_000_000_000_000n + BigInt(n)}`)
  const lists = Array.from({ length: PAGES - posts.length }, (_, page) => `/?page=${page + 1}&order=newest`)
  for (const path of [...posts, ...lists]) {
    const reply = await fetch(url + path, { headers: { accept: 'text/html' } })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
    await reply.arrayBuffer()
  }
}

async function startSite(dataDir: string, port: number) {
  const began = performance.now()
  const { env: allocator, execArgv } = startedAs()
  const env = { ...process.env, ...allocator, NODE_ENV: 'production', STOA_DATA: dataDir, PORT: String(port), HOST: '127.0.0.1' }
  const child = spawn(process.execPath, [...execArgv, join(root, 'host-server', 'cli', 'run.mjs'), 'start'], { env, stdio: 'ignore' })
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isServing())) {
    if (child.exitCode !== null) throw new Error(`The site ended with ${child.exitCode} before it served`)
    await sleep(10)
  }
  return { process: child, ms: performance.now() - began }
}

const residentMegabytes = (pid: number): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024
