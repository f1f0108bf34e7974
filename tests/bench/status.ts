import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildFolders } from '../../host-server/cli/site-folders.ts'
import { startKernel } from '../../host-server/kernel.ts'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { median } from './measure.ts'

/**
 * What members cost who have a tab open, as clients of the protocol do: each asks for `notification/status` every three seconds.
 * `node host-server/cli/run.mjs ../../tests/bench/status [port]` prints the share of a core that the server takes, and that of the same calls to
 * `/healthz`, which touches nothing, and to a bare server of node:http in the same process: what no server here can be below; by turns, and the
 * median of each; with `STOA_TEST_PG` (the address of a server) on a database made there as well.
 */
const MEMBERS = 1000
const EVERY_MS = 3000
const SECONDS = 10
const ROUNDS = 5

/** The members, in a process of their own: their work is not the server's. */
async function askAll(port: number, tokens: string[], path: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: MEMBERS })
  let failed = 0
  const ask = (token: string) =>
    new Promise<void>((resolve) => {
      const headers = { authorization: token, 'accept-language': 'en_US' }
      const sent = request({ port, path, agent, headers }, (reply) => {
        if (reply.statusCode !== 200) failed++
        reply.resume().on('end', resolve)
      })
      sent.on('error', () => {
        failed++
        resolve()
      })
      sent.end()
    })
  const until = performance.now() + (SECONDS + 2 * (EVERY_MS / 1000)) * 1000
  await Promise.all(
    tokens.map(async (token, index) => {
      await sleep((index / tokens.length) * EVERY_MS)
      while (performance.now() < until) {
        const next = sleep(EVERY_MS)
        await ask(token)
        await next
      }
    }),
  )
  agent.destroy()
  if (failed > 0) console.error(`${failed} calls failed`)
}

async function measure(port: number, tokens: string[], path: string): Promise<number> {
  const members = fork(import.meta.filename, ['members'], { stdio: 'inherit' })
  members.send({ port, tokens, path })
  // Connections are made, and code is warm.
  await sleep(EVERY_MS * 2)
  const began = performance.now()
  const before = process.cpuUsage()
  await sleep(SECONDS * 1000)
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / (performance.now() - began)
  await once(members, 'exit')
  return share
}

async function serve(port: number, database?: TestDatabase): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-status-'))
  const folders = buildFolders('production')
  const kernel = await startKernel({
    dataDir,
    port,
    host: '127.0.0.1',
    trustProxy: [],
    rateLimits: false,
    pluginDirs: [folders.plugins],
    coreDir: folders.core,
    hostDir: folders.host,
    ...(database && { databaseUrl: database.url }),
    install: { siteName: 'Bench', language: 'en_US', adminName: 'admin', adminEmail: 'admin@example.org', adminPassword: 'Admin12345' },
    log: (level, slug, message) => (level === 'info' ? undefined : console.error(`${slug}: ${message}`)),
  })
  try {
    const { credentials } = kernel.data
    const password = await credentials.hash('Member12345')
    const tokens: string[] = []
    for (let n = 0; n < MEMBERS; n++) {
      const { id } = await credentials.create({ login: `member${n}@example.org`, password, state: 'normal' })
      tokens.push((await credentials.openSession(id)).token)
    }
    const bare = createServer((_, res) => res.end('ok'))
    bare.keepAliveTimeout = 60_000
    await new Promise<void>((resolve) => bare.listen(port + 1, '127.0.0.1', resolve))
    const [status, health, least]: number[][] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      status?.push(await measure(port, tokens, '/answer/api/v1/notification/status'))
      health?.push(await measure(port, tokens, '/healthz'))
      least?.push(await measure(port + 1, tokens, '/'))
    }
    bare.close()
    const percent = (shares: number[] = []) =>
      `${(median(shares) * 100).toFixed(1)} % (${shares.map((share) => (share * 100).toFixed(1)).join(', ')})`
    console.log(
      `${database ? 'PostgreSQL' : 'SQLite'}: ${MEMBERS} members asking every ${EVERY_MS / 1000} s, of a core: ${percent(status)}; asking /healthz: ${percent(health)}; a bare server: ${percent(least)}`,
    )
  } finally {
    await kernel.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (process.argv[2] === 'members')
  process.once('message', async ({ port, tokens, path }: { port: number; tokens: string[]; path: string }) => {
    await askAll(port, tokens, path)
    process.exit()
  })
else {
  const port = Number(process.argv[2] ?? 4219)
  await serve(port)
  if (process.env.STOA_TEST_PG !== undefined) await serve(port, await createDatabase(process.env.STOA_TEST_PG))
}
