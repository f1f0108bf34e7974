import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { webText } from '../kernel/packages/scan-folders.ts'
import { PluginRejected } from '../kernel/plugin-set/plugin-rejected.ts'
import type { DiscoveredPlugin } from '../types.ts'
import { compress, encodingFor, vary } from './compress.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
}
const compressible = /^(text\/|application\/json|image\/svg)/
const IMMUTABLE = 'public, max-age=31536000, immutable'

interface File {
  type: string
  body: Buffer
  etag: string
  encoded: Partial<Record<'br' | 'gzip', Promise<Buffer>>>
}

/** Present and just previous: tabs that are about to follow a switch still find their files. */
const KEPT_GENERATIONS = 2

/**
 * Public files, by address. They are read once when their generation appears, so that what an address stands for can never change
 * while it is known, even when the folder is built anew.
 */
export class StaticFiles {
  readonly #core = new Map<string, File>()
  /** slug → generation → name → file; the newest generation last. */
  readonly #plugins = new Map<string, Map<string, Map<string, File>>>()

  readCore(folder: string): void {
    for (const name of readdirSync(folder)) {
      if (!/\.(js|css)$/.test(name)) continue
      const file = makeFile(name, readFileSync(join(folder, name)))
      const packed = join(folder, `${name}.br`)
      if (existsSync(packed)) file.encoded.br = Promise.resolve(readFileSync(packed))
      this.#core.set(name, file)
    }
  }

  /** @throws when a file that the manifest names is not there */
  readPlugin({ manifest, folder, generation, files: digest }: DiscoveredPlugin): void {
    // The kernel's own calls look like a plugin and have no folder.
    if (folder === '') return
    const generations = this.#plugins.get(manifest.slug) ?? new Map<string, Map<string, File>>()
    this.#plugins.set(manifest.slug, generations)
    const known = generations.get(generation)
    if (known) {
      generations.delete(generation)
      generations.set(generation, known)
      return
    }
    const files = new Map<string, File>()
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile() && isPublic(entry.name)) files.set(entry.name, makeFile(entry.name, readFileSync(join(folder, entry.name))))
    }
    const { web } = manifest.build
    if (web) {
      const named = [web.entry, ...Object.values(web.modules).flatMap(({ js, css }) => [...js, ...css])]
      const missing = named.find((name) => !files.has(name))
      if (missing !== undefined) throw new PluginRejected(manifest.slug, `The file ${missing} is named in plugin.json and is not there`)
      files.set('web.json', makeFile('web.json', Buffer.from(webText(web, digest))))
    }
    generations.set(generation, files)
    for (const old of generations.keys()) {
      if (generations.size <= KEPT_GENERATIONS) break
      generations.delete(old)
    }
  }

  /** Answers `/static/…`; 404 for anything that is not known by exactly this address. */
  async handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const file = this.#find(path)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    if (!file) {
      res.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
      res.end(req.method === 'HEAD' ? undefined : 'No such file')
      return
    }
    await sendFile(req, res, file)
  }

  #find(path: string): File | undefined {
    const [folder, ...rest] = path.slice('/static/'.length).split('/')
    if (folder === 'core' && rest.length === 1) return this.#core.get(rest[0] as string)
    if (folder === 'js' && rest.length === 3)
      return this.#plugins
        .get(rest[0] as string)
        ?.get(rest[1] as string)
        ?.get(rest[2] as string)
    const color = rest.length === 0 ? /^primary-([0-9a-f]{6})\.css$/.exec(folder ?? '')?.[1] : undefined
    return color ? makeFile('primary.css', Buffer.from(`:root{--primary:#${color}}\n`)) : undefined
  }
}

const isPublic = (name: string): boolean => extname(name) in types && extname(name) !== '.json'

function makeFile(name: string, body: Buffer): File {
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`, encoded: {} }
}

async function sendFile(req: IncomingMessage, res: ServerResponse, file: File): Promise<void> {
  res.setHeader('Content-Type', file.type)
  res.setHeader('Cache-Control', IMMUTABLE)
  res.setHeader('ETag', file.etag)
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  if (req.headers['if-none-match']?.includes(file.etag)) return void res.writeHead(304).end()
  const range = rangeOf(req, file)
  if (range === 'unsatisfiable') return void res.writeHead(416, { 'Content-Range': `bytes */${file.body.length}` }).end()
  if (range) {
    res.writeHead(206, {
      'Content-Range': `bytes ${range.from}-${range.to}/${file.body.length}`,
      'Content-Length': range.to - range.from + 1,
    })
    res.end(req.method === 'HEAD' ? undefined : file.body.subarray(range.from, range.to + 1))
    return
  }
  let { body } = file
  if (compressible.test(file.type)) {
    vary(res, 'Accept-Encoding')
    const encoding = encodingFor(req)
    if (encoding) {
      file.encoded[encoding] ??= compress(file.body, encoding, 9)
      body = await file.encoded[encoding]
      res.setHeader('Content-Encoding', encoding)
    }
  }
  res.writeHead(200, { 'Content-Length': body.length })
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** One range of the plain bytes; several at once are answered whole, which is allowed. */
function rangeOf(req: IncomingMessage, file: File): { from: number; to: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const condition = req.headers['if-range']
  if (condition !== undefined && condition !== file.etag) return undefined
  const size = file.body.length
  const from = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const to = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return from > to || from >= size ? 'unsatisfiable' : { from, to }
}
