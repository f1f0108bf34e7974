import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { startKernel as StartKernel } from '../../host-server/kernel.ts'

/**
 * The site as it is served, with a toy plugin dropped into its data directory and switched on. Runs without its types from the folder of what is built.
 * Started with the data directory, the port and, unless it is SQLite, the database's address; tells its parent when it serves, and what CPU time it used when asked.
 */
const [dataDir = '', port = '0', databaseUrl] = process.argv.slice(2)

const folder = join(dataDir, 'plugins', 'bench-toy')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ slug: 'bench-toy', version: '1.0.0', type: 'route', sdk: '^1.0.0' }))
writeFileSync(
  join(folder, 'server.cjs'),
  `const { route, Type } = require('@stoa/sdk/server')
module.exports.default = {
  activate: (services, ctx) => ctx.routes([
    route({ method: 'GET', path: '/bench-toy/hello', access: 'open', summary: 'Hello', reply: Type.Unknown(), handle: () => ({ hello: 'world' }) }),
  ]),
}
`,
)

const told = new Set<string>()
/** Under load the same trouble comes a thousand times. */
function tell(level: string, text: string, details?: object): void {
  if (level === 'info' || told.has(text)) return
  told.add(text)
  console.error(text, details ?? '')
}

// As people start it: some hundred small files take more memory.
const build = import.meta.dirname
const { kernel: load } = await import(pathToFileURL(join(build, 'host', 'commands.mjs')).href)
const { startKernel } = (await load()) as { startKernel: typeof StartKernel }
const kernel = await startKernel({
  dataDir,
  ...(databaseUrl && { databaseUrl }),
  port: Number(port),
  host: '127.0.0.1',
  siteUrl: `http://127.0.0.1:${port}`,
  trustProxy: [],
  rateLimits: false,
  pluginDirs: [join(build, 'plugins')],
  coreDir: join(build, 'core'),
  hostDir: join(build, 'host'),
  log: (level, slug, message, details) => tell(level, `${slug}: ${message}`, details),
})
await kernel.plugins.switch('bench-toy', true, kernel.plugins.epoch)
/** What a thousand switches left behind: bytes of the heap, collected, before and after. */
export interface Switched {
  before: number
  after: number
  ms: number
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

async function switchOften(times: number): Promise<Switched> {
  const before = heap()
  const began = performance.now()
  for (let n = 0; n < times; n++) await kernel.plugins.switch('bench-toy', n % 2 === 1, kernel.plugins.epoch)
  const ms = performance.now() - began
  // What was switched off ends when its last request has.
  await sleep(2_000)
  return { before, after: heap(), ms }
}

process.on('message', async ({ switches, collect: isCollected }: { switches?: number; collect?: boolean }) => {
  if (isCollected) process.send?.({ heap: heap(), rss: process.memoryUsage.rss() })
  else process.send?.(switches === undefined ? { ...process.cpuUsage(), rss: process.memoryUsage.rss() } : await switchOften(switches))
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
