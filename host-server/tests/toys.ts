import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kernel, KernelOptions } from '../kernel.ts'
import { startKernel } from '../kernel.ts'

/** Manifest of a toy beyond the four members that every one has. */
export interface Toy {
  manifest?: object
  /** Body of `activate(services, ctx)`. */
  activate?: string
  /** Other members of the server plugin: `needs: { … }`. */
  members?: string
  /** Whole `reads.cjs`. */
  reads?: string
}

/** A kernel on an empty directory with hand-made plugins, and an admin to switch them. */
export interface ToySite {
  kernel: Kernel
  dataDir: string
  /** Writes a plugin into `<data>/plugins`. */
  add(slug: string, toy?: Toy): void
  /** Writes a file anywhere below `<data>/plugins`. */
  write(path: string, text: string): void
  call(method: string, path: string, body?: unknown, token?: string): Promise<Reply>
  /** As the admin. */
  admin(method: string, path: string, body?: unknown): Promise<Reply>
  switch(slug: string, enabled: boolean, confirm?: number): Promise<Reply>
  /** The admin's. */
  token(): Promise<string>
  restart(): Promise<void>
  /** Starts again what was closed. */
  open(): Promise<void>
  logged: string[]
  close(): Promise<void>
}

export interface Reply {
  status: number
  reason: string
  msg: string
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  data: any
}

/** File name → content. */
export function toyFiles(slug: string, toy: Toy = {}): Record<string, string> {
  return {
    'plugin.json': JSON.stringify({ slug, version: '1.0.0', type: 'route', sdk: '^1.0.0', ...toy.manifest }),
    'server.cjs': `const sdk = require('@stoa/sdk/server')
const { Type, route, service, services, waterfall, bail, series, event, read, defineErrors } = sdk
const get = (path, handle, access = 'open') => route({ method: 'GET', path, access, summary: path, reply: Type.Unknown(), handle })
module.exports.default = { ${toy.members ?? ''} async activate(services, ctx) { ${toy.activate ?? ''} } }`,
    ...(toy.reads !== undefined && { 'reads.cjs': toy.reads }),
  }
}

/** Code that takes all the memory a worker may have, in the ways that differ for V8: in small pieces, in ever larger ones, in large ones, beside its heap. */
export const FILLS = {
  numbers: 'const all = []; for (;;) all.push(new Array(100_000).fill(1.5))',
  map: 'const all = new Map(); for (let i = 0; ; i++) all.set(i, i)',
  arrays: 'const all = []; for (;;) all.push(new Array(8_000_000))',
  buffers: 'const all = []; for (;;) all.push(new Uint8Array(10_000_000).fill(1))',
}
/** A loop that V8 would unroll, which cannot be stopped then. */
export const UNROLLED = 'for (;;) new Array(100).fill(1)'
/** Longer than that takes: slow reads and pages run after all else, so where much else runs it may be half a minute (measured). */
export const FILLED_MS = 60_000

export async function startToySite(toys: Record<string, Toy> = {}, options: Partial<KernelOptions> = {}): Promise<ToySite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-toys-'))
  const logged: string[] = []
  const write = (path: string, text: string) => {
    const file = join(dataDir, 'plugins', path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
  const add = (slug: string, toy: Toy = {}) => {
    for (const [name, content] of Object.entries(toyFiles(slug, toy))) write(`${slug}/${name}`, content)
  }
  for (const [slug, toy] of Object.entries(toys)) add(slug, toy)
  const start = () =>
    startKernel({
      dataDir,
      port: 0,
      host: '127.0.0.1',
      pluginDirs: [],
      hostDir: join(import.meta.dirname, '..', '..', 'build', 'host'),
      trustProxy: [],
      rateLimits: false,
      install: { siteName: 'Toys', language: 'en_US', adminName: 'owner', adminEmail: 'owner@example.org', adminPassword: 'Owner12345' },
      log: (level, slug, message) => void logged.push(`${level} ${slug}: ${message}`),
      ...options,
    })
  let kernel = await start()
  const signIn = async () => (await kernel.data.credentials.openSession(1)).token
  let adminToken = await signIn()
  const call = async (method: string, path: string, body?: unknown, token?: string): Promise<Reply> => {
    const response = await fetch(kernel.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) }
  }
  const site: ToySite = {
    get kernel() {
      return kernel
    },
    dataDir,
    add,
    write,
    call,
    logged,
    token: async () => adminToken,
    admin: (method, path, body) => call(method, path, body, adminToken),
    switch: (slug, enabled, confirm) =>
      call(
        'PUT',
        '/answer/admin/api/plugin/status',
        { plugin_slug_name: slug, enabled, ...(confirm !== undefined && { confirm }) },
        adminToken,
      ),
    async restart() {
      await kernel.close()
      await site.open()
    },
    async open() {
      kernel = await start()
      adminToken = await signIn()
    },
    async close() {
      await kernel.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return site
}
