import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginRow } from '@stoa/sdk/administration'
import type { KernelOptions } from '../../host-server/kernel.ts'

const BUILT = join(import.meta.dirname, '..', '..', 'build')

export interface Beast {
  /** Beyond slug, version, type and sdk. */
  manifest?: object
  /** Body of `activate(services, ctx)`; `get(path, handle)` makes a route. */
  activate?: string
  /** Whole files by name. */
  files?: Record<string, string>
}

export interface Answer {
  status: number
  reason: string
  msg: string
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  data: any
}

export type Row = Omit<PluginRow, 'slug'> & { slug_name: string; enabled: boolean }

/** The real site in a process of its own, with bad plugins in its data directory. */
export interface ZooSite {
  readonly url: string
  readonly token: string
  readonly dataDir: string
  /** Folders of what comes with the site, a copy of its own. */
  readonly builtDir: string
  /** Lines of the log above `info`. */
  readonly log: string[]
  add(slug: string, beast: Beast): void
  call(path: string, init?: RequestInit): Promise<Answer>
  switch(slug: string, on: boolean): Promise<Answer>
  row(slug: string, language?: string): Promise<Row>
  restart(): Promise<void>
  /** Ends the process as nothing inside it can notice. */
  kill(): Promise<void>
  /** Starts a process anew after one that has ended. */
  start(): Promise<void>
  /** Resolves when the process has ended by itself. */
  ended(): Promise<void>
  close(): Promise<void>
}

/**
 * @param database address of an empty PostgreSQL database; without, SQLite
 * @param stuckMs so long the site may stand still, in milliseconds
 */
export async function openZoo(database?: string, stuckMs = 1_500): Promise<ZooSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-zoo-'))
  const builtDir = join(dataDir, 'built')
  cpSync(join(BUILT, 'plugins'), builtDir, { recursive: true })
  const log: string[] = []
  const options: Omit<KernelOptions, 'log'> = {
    dataDir,
    port: 0,
    host: '127.0.0.1',
    databaseUrl: database,
    pluginDirs: [builtDir],
    coreDir: join(BUILT, 'core'),
    hostDir: join(BUILT, 'host'),
    trustProxy: ['127.0.0.1'],
    rateLimits: false,
    watchdog: true,
    limits: { handlerMs: 5_000, tapMs: 1_500, activateMs: 2_000, stuckMs },
    install: { siteName: 'Zoo', language: 'zh_CN', adminName: 'keeper', adminEmail: 'keeper@example.org', adminPassword: 'Keeper12345' },
  }
  let child: ChildProcess
  let at = { url: '', token: '' }
  async function start(): Promise<void> {
    child = fork(join(import.meta.dirname, 'site-process.ts'), [JSON.stringify(options)], {
      execArgv: ['--no-force-async-hooks-checks'],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const ready = new Promise<typeof at>((resolve, reject) => {
      child.on('message', (message: { log?: string } & typeof at) => {
        if (message.log === undefined) resolve(message)
        else log.push(message.log)
      })
      child.once('exit', (code) => reject(new Error(`The site ended with ${code}\n${log.slice(-20).join('\n')}`)))
    })
    at = await ready
  }
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The site had ended with ${child.exitCode}\n${log.slice(-20).join('\n')}`)
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const [code, signal] = await gone
    if (code !== 0) throw new Error(`Asked to leave, the site ended with ${code ?? signal}\n${log.slice(-20).join('\n')}`)
  }
  await start()

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(at.url + path, init)
    const text = await response.text()
    if (text === '') throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status} with nothing`)
    const { reason, msg, data } = JSON.parse(text) as Answer
    return { status: response.status, headers: response.headers, reason, msg, data }
  }
  const asKeeper = (path: string, language = 'en_US', init: RequestInit = {}) =>
    call(path, { ...init, headers: { authorization: at.token, 'accept-language': language, 'content-type': 'application/json' } })
  return {
    get url() {
      return at.url
    },
    get token() {
      return at.token
    },
    dataDir,
    builtDir,
    log,
    add(slug, { manifest, activate = '', files = {} }) {
      const folder = join(dataDir, 'plugins', slug)
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      const server = `const { Type, route, read, reading, series, waterfall, event, job } = require('@stoa/sdk/server')
        const get = (path, handle) => route({ method: 'GET', path, access: 'open', summary: path, reply: Type.Unknown(), handle })
        module.exports.default = { async activate(services, ctx) { ${activate} } }`
      const plugin = JSON.stringify({ slug, version: '1.0.0', type: 'route', sdk: '^1.0.0', ...manifest })
      for (const [name, text] of Object.entries({ 'plugin.json': plugin, 'server.cjs': server, ...files })) {
        mkdirSync(join(folder, name, '..'), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    },
    call,
    async switch(slug, on) {
      const put = (confirm?: number) =>
        asKeeper('/answer/admin/api/plugin/status', 'en_US', {
          method: 'PUT',
          body: JSON.stringify({ plugin_slug_name: slug, enabled: on, ...(confirm !== undefined && { confirm }) }),
        })
      const first = await put()
      return first.data?.epoch === undefined ? first : put(first.data.epoch)
    },
    async row(slug, language) {
      const { data } = await asKeeper('/answer/admin/api/plugins', language)
      const found = (data as Row[]).find((row) => row.slug_name === slug)
      if (!found) throw new Error(`${slug} is not in the list`)
      return found
    },
    async restart() {
      await stop()
      await start()
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    start,
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    async close() {
      try {
        await stop()
      } finally {
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
  }
}
