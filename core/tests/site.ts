import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPlugins } from '@stoa/sdk/build'
import { readPlugin } from '../../host-server/kernel/packages/scan-folders.ts'
import type { Pages } from '../../host-server/pages/index.ts'
import { createPages } from '../../host-server/pages/index.ts'
import { Measuring } from '../../host-server/shared/measuring.ts'
import type { DiscoveredPlugin, PluginSet } from '../../host-server/shared/types.ts'

/** Built before any test runs. */
const coreDir = join(import.meta.dirname, '../../build/core')
const fixtures = join(import.meta.dirname, 'fixtures')

export interface TestSite {
  url: string
  pages: Pages
  /** Builds a fixture; `edit` changes a copy of its sources first, which makes another generation. */
  build(
    slug: string,
    edit?: (read: (file: string) => string, write: (file: string, text: string) => void) => void,
  ): Promise<DiscoveredPlugin>
  /** Makes these plugins the set that is on, as the kernel does. */
  turnOn(...plugins: DiscoveredPlugin[]): Promise<void>
  /** Calls that were made, method and address. */
  calls: string[]
  warnings: string[]
  /** Replies by address; a function sees the Authorization header and the request. A page waits for a promise. See {@link refusal}. */
  replies: Record<string, unknown>
  close(): Promise<void>
}

/** What a call brought. */
export interface Request {
  method: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

class Refusal {
  readonly status: number
  readonly reason: string
  readonly data: unknown
  constructor(status: number, reason: string, data: unknown) {
    this.status = status
    this.reason = reason
    this.data = data
  }
}

/** A reply that refuses, for {@link TestSite.replies}. */
export const refusal = (status: number, reason: string, data: unknown = null): unknown => new Refusal(status, reason, data)

/** Core and pages for real, with plugins made for the test; calls are answered from a table. */
export async function startTestSite(): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-pages-'))
  let set: PluginSet = { epoch: 1, plugins: [] }
  const listeners = new Set<(set: PluginSet) => void>()
  const calls: string[] = []
  const warnings: string[] = []
  const replies: Record<string, unknown> = {}
  const answer = (url: string, token: string | undefined, request?: Request): { status: number; body: string } => {
    const found = replies[url]
    const data = typeof found === 'function' ? (found as (token: string | undefined, request?: Request) => unknown)(token, request) : found
    if (data instanceof Refusal) return { status: data.status, body: JSON.stringify({ ...data, code: data.status, msg: data.reason }) }
    const status = data === undefined ? 404 : 200
    return { status, body: JSON.stringify({ code: status, reason: '', msg: '', data: data ?? null }) }
  }
  let looks = 0
  const pages = await createPages({
    coreDir,
    coreFiles: join(folder, 'core'),
    isDevelopment: false,
    isPrepared: true,
    pageMs: 60_000,
    waitingOfOne: 1_000,
    roomMs: 250,
    measuring: new Measuring(),
    set: () => set,
    onSwitch(fn) {
      listeners.add(fn)
      return () => listeners.delete(fn)
    },
    async dispatch({ url }) {
      calls.push(`server ${url}`)
      await replies[url]
      const { status, body } = answer(url, undefined)
      return { status, body: Buffer.from(body) }
    },
    // Everything changes at each look: replies are changed by hand here, and no page may be of before.
    changes: async () => ++looks,
    onFacts: () => () => {},
    now: () => Math.floor(Date.now() / 1000),
    site: {
      installed: true,
      name: '测试',
      language: 'zh_CN',
      url: 'https://stoa.test',
      isPrivate: false,
      closure: { degree: 'open', message: '', until: 0 },
    },
    texts: (slug, language) => {
      const plugin = set.plugins.find(({ manifest }) => manifest.slug === slug)
      if (!plugin) return undefined
      return (JSON.parse(readFileSync(join(plugin.folder, 'locales', `${language}.json`), 'utf8')) as { web: Record<string, unknown> }).web
    },
    languages: () => [
      { code: 'zh_CN', label: '简体中文' },
      { code: 'en_US', label: 'English' },
    ],
    readCookieSession: async () => null,
    whoAsks: () => '',
    wordsOf: ({ message }) => message,
    mayListen: async () => false,
    onPush: () => {},
    onFault: (slug, where, error) => void warnings.push(`${slug} failed at ${where}: ${String(error)}`),
    onLoop: (slug, where) => void warnings.push(`${slug} does not end: ${where}`),
    onFull: (slug, where) => void warnings.push(`${slug} takes all memory: ${where}`),
    served: () => {},
    log: (_, message, details) => void warnings.push(`${message} ${JSON.stringify(details)}`),
  })
  const server = createServer((req, res) => {
    void pages.handle(req, res).then(async (done) => {
      if (done) return
      calls.push(`${req.method} ${req.url}`)
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      const request = { method: req.method as string, headers: req.headers, body: Buffer.concat(chunks).toString('utf8') }
      const { status, body } = answer(req.url as string, req.headers.authorization, request)
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let builds = 0
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    calls,
    warnings,
    replies,
    async build(slug, edit) {
      const source = join(folder, `source-${++builds}`, slug)
      cpSync(join(fixtures, slug), source, { recursive: true })
      edit?.(
        (file) => readFileSync(join(source, file), 'utf8'),
        (file, text) => writeFileSync(join(source, file), text),
      )
      const out = join(folder, `built-${builds}`)
      const { failed } = await buildPlugins({ folders: [source], out, mode: 'production' })
      if (failed.length > 0) throw new Error(JSON.stringify(failed))
      const plugin = readPlugin(join(out, slug), 'bundled')
      if ('problem' in plugin) throw plugin.problem
      return plugin
    },
    async turnOn(...plugins) {
      const next = { epoch: set.epoch + 1, plugins }
      await pages.prepare(next)
      set = next
      for (const tell of listeners) tell(set)
    },
    async close() {
      await pages.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What the fixtures ask for. The token `secret` is a member's. */
export function fillReplies(site: TestSite): void {
  Object.assign(site.replies, {
    '/answer/api/v1/siteinfo': {
      general: { name: '测试站' },
      theme: { theme: 'default', color_scheme: '', theme_config: { default: { navbar_style: 'colored', primary_color: '#0033ff' } } },
      login: { allow_new_registrations: true },
    },
    '/answer/api/v1/posts': [{ id: '1', title: '第一篇' }],
    '/answer/api/v1/posts/1': { id: '1', title: '第一篇', html: `<p>${'long text '.repeat(6000)}</p>` },
    '/answer/api/v1/now': { now: 42 },
    '/answer/api/v1/user/info': (token: string | undefined) =>
      token === 'secret'
        ? {
            id: '1',
            username: 'ming',
            display_name: '小明',
            avatar: '',
            rank: 1,
            role_id: 1,
            status: 'normal',
            mail_status: 1,
            language: 'Default',
            color_scheme: 'default',
          }
        : null,
  })
}
