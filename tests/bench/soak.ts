import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Figure } from './figures.ts'
import { startedAs } from './processes.ts'
import { ADMIN } from './seeded-site.ts'

const root = resolve(import.meta.dirname, '..', '..')
/** The site and every process of its own together may hold so much, whatever is done to it. */
const MOST_MEGABYTES = 1024
/** Somebody who asks for a page of the API meanwhile waits at most so long, on a machine that attacker and site share. */
const MOST_WAIT_MS = 2000
const PICTURES = 20
const CONNECTIONS = 20
/** Of an upload, so that whoever asks meanwhile gets a turn in this process too. */
const CHUNK = 64 * 1024
const CHUNKS_A_MEGABYTE = 16
const KILLED_IT = 'The site ended while it was attacked'

interface Target {
  url: string
  port: number
  token: string
  dataDir: string
}

/** What a stranger tries. @returns what went wrong, in words */
type Attack = (target: Target) => Promise<string[]>

/**
 * Repeats what once stopped the site or filled its memory, one after the other at one running site, with all its limits. What it holds is sampled:
 * a limit of the system would end it in the middle, and say less.
 */
export async function soakFigures(port: number): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-soak-'))
  mkdirSync(join(dataDir, 'plugins', 'constructor'), { recursive: true })
  writeFileSync(
    join(dataDir, 'plugins', 'constructor', 'plugin.json'),
    '{"slug":"constructor","version":"1.0.0","type":"route","sdk":"^1.0.0"}',
  )
  await storePictures(join(dataDir, 'uploads', 'post'))
  const site = startSite(dataDir, port)
  const url = `http://127.0.0.1:${port}`
  try {
    await serves(site, url)
    const target = { url, port, dataDir, token: await signIn(url) }
    const figures: Figure[] = []
    for (const [name, attack] of Object.entries(attacks)) figures.push(...(await under(name, attack, target, site)))
    return figures
  } finally {
    const ended = once(site, 'exit')
    if (site.exitCode === null && site.signalCode === null) {
      site.kill('SIGTERM')
      await ended
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** @throws when the site ended, or answered wrongly */
async function under(name: string, attack: Attack, target: Target, site: ChildProcess): Promise<Figure[]> {
  let most = 0
  let slowest = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, megabytesOf(site.pid as number))
      await sleep(100)
    }
  })()
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now()
      const reply = await fetch(`${target.url}/answer/api/v1/siteinfo`)
      await reply.arrayBuffer()
      slowest = Math.max(slowest, performance.now() - began)
      if (!reply.ok) throw new Error(`${name}: somebody else was answered ${reply.status}`)
      await sleep(20)
    }
  })()
  asking.catch(() => undefined)
  const wrong = await attack(target).finally(() => {
    isOver = true
  })
  await Promise.all([watching, asking])
  if (site.exitCode !== null || site.signalCode !== null) throw new Error(`${name}: ${KILLED_IT}`)
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.slice(0, 5).join('; ')}`)
  return [
    { name: `${name}: most memory`, value: most, unit: 'MB', most: MOST_MEGABYTES },
    { name: `${name}: slowest reply to others`, value: slowest, unit: 'ms', most: MOST_WAIT_MS },
  ]
}

const attacks: Record<string, Attack> = {
  async 'pictures asked for and not read'({ port }) {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)))
    for (const socket of sockets) {
      socket.pause()
      socket.write('GET /uploads/post/0.png HTTP/1.1\r\nHost: site\r\n\r\n'.repeat(500))
    }
    await sleep(10_000)
    for (const socket of sockets) socket.destroy()
    return []
  },

  async 'passwords tried'({ url }) {
    const wrong: string[] = []
    for (let n = 0; n < 300; n++) {
      const login = [' '.repeat(n % 7), ADMIN.email, '\0'.repeat(n % 2), 'x'.repeat(n % 3 === 0 ? 16_000 : 0)].join('')
      const form = new URLSearchParams({ login, password: `wrong ${n}` })
      const rescue = await fetch(`${url}/rescue/login`, { method: 'POST', body: form, redirect: 'manual' })
      const call = await fetch(`${url}/answer/api/v1/user/login/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ e_mail: login, pass: `wrong ${n}` }),
      })
      for (const { status } of [rescue, call]) if (status < 400 || status >= 500) wrong.push(`${status} for attempt ${n}`)
    }
    return wrong
  },

  async 'thumbnails of everything'({ url, dataDir }) {
    const sizes = [32, 48, 64, 96, 128, 256, 512, 1024, 33, 4096]
    const paths = Array.from({ length: PICTURES }, (_, n) => sizes.map((size) => `/uploads/post/${n}.png?s=${size}`)).flat()
    const made = sizes.map((size) => `/uploads/thumbnails/64/post/0.png.webp?s=${size}`)
    const replies = await Promise.all([...paths, ...made].map(async (path) => ({ path, reply: await fetch(url + path) })))
    const wrong: string[] = []
    for (const { path, reply } of replies) {
      await reply.arrayBuffer()
      if (![200, 404, 503].includes(reply.status)) wrong.push(`${reply.status} for ${path}`)
    }
    const files = readdirSync(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    if (files > PICTURES * 9) wrong.push(`${files} files of ${PICTURES} pictures`)
    return wrong
  },

  async 'texts that take long to render'({ url, token }) {
    const slow = ['ini', 'java', 'c', 'bash'].map((language) => `\`\`\`${language}\n${'a'.repeat(15_000)}\n\`\`\`\n`).join('')
    const notes = Array.from({ length: 2500 }, (_, n) => `[^${n}]`)
    const texts = [
      slow,
      `${notes.join('')}\n\n${notes.map((note) => `${note}: ${note}`).join('\n')}`,
      '|a|b|\n|-|-|\n'.concat('|a|b|\n'.repeat(10_000)),
    ]
    const wrong: string[] = []
    const asked = Array.from({ length: 12 }, async (_, n) => {
      const reply = await fetch(`${url}/answer/api/v1/post/render`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token },
        body: JSON.stringify({ content: texts[n % texts.length] }),
      })
      await reply.arrayBuffer()
      if (![200, 503].includes(reply.status)) wrong.push(`${reply.status} for text ${n % texts.length}`)
    })
    await Promise.all(asked)
    return wrong
  },

  async 'uploads that do not end'({ port, token }) {
    const head = `POST /answer/api/v1/file HTTP/1.1\r\nHost: site\r\nAuthorization: ${token}\r\nContent-Type: multipart/form-data; boundary=abc\r\nTransfer-Encoding: chunked\r\n\r\n`
    const form = '--abc\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open(port)))
    const part = Buffer.concat([Buffer.from(`${CHUNK.toString(16)}\r\n`), Buffer.alloc(CHUNK, 'x'), Buffer.from('\r\n')])
    const send = async (socket: Socket): Promise<void> => {
      socket.on('error', () => undefined)
      const ended = once(socket, 'close')
      socket.write(`${head}${form.length.toString(16)}\r\n${form}\r\n`)
      for (let sent = 0; sent < 60 * CHUNKS_A_MEGABYTE && !socket.destroyed; sent++)
        if (!socket.write(part)) await Promise.race([once(socket, 'drain'), ended, sleep(10_000)])
    }
    await Promise.race([Promise.all(sockets.map((socket) => send(socket).catch(() => undefined))), sleep(15_000)])
    await sleep(5000)
    for (const socket of sockets) socket.destroy()
    return []
  },
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject)
  })

async function storePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const noise = { width: 1000, height: 1000, channels: 3 } as const
  const picture = await sharp(randomBytes(3_000_000), { raw: noise }).png().toBuffer()
  for (let n = 0; n < PICTURES; n++) writeFileSync(join(folder, `${n}.png`), picture)
}

function startSite(dataDir: string, port: number): ChildProcess {
  const started = startedAs()
  const env = {
    ...process.env,
    ...started.env,
    NODE_ENV: 'production',
    STOA_DATA: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    STOA_ADMIN_NAME: 'admin',
    STOA_ADMIN_EMAIL: ADMIN.email,
    STOA_ADMIN_PASSWORD: ADMIN.password,
  }
  return spawn(process.execPath, [...started.execArgv, join(root, 'host-server', 'cli', 'run.mjs'), 'start'], { env, stdio: 'ignore' })
}

async function serves(site: ChildProcess, url: string): Promise<void> {
  const isServing = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isServing())) {
    if (site.exitCode !== null) throw new Error(`The site ended with ${site.exitCode} before it served`)
    await sleep(50)
  }
}

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ e_mail: ADMIN.email, pass: ADMIN.password })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/answer/api/v1/user/login/email`, { method: 'POST', headers, body })
  return ((await reply.json()) as { data: { access_token: string } }).data.access_token
}

/** Resident memory of a process and those it has started. */
function megabytesOf(pid: number): number {
  try {
    const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=']).toString().trim().split('\n')
    const all = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number, number])
    return all.filter(([own, parent]) => own === pid || parent === pid).reduce((sum, [, , kilobytes]) => sum + kilobytes, 0) / 1024
  } catch {
    return 0
  }
}
