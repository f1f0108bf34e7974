import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { readCookie } from '../../core/kernel/preferences.ts'
import type { KernelData } from '../data/index.ts'

/** What an upload may be shown as; everything else is offered as a download. */
const shown: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
}
/** Square thumbnails that may be asked for with `?s=`, in pixels: a short list, so that nobody fills the disk. */
const THUMBNAIL_EDGES = [32, 48, 64, 96, 128, 256, 512, 1024]

/** Answers `/uploads/**`. On a private site only to people with a session's `visit` cookie; branding stays open. */
export async function serveUpload(path: string, req: IncomingMessage, res: ServerResponse, data: KernelData): Promise<void> {
  const name = safeName(path)
  if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { allow: 'GET, HEAD' }).end()
  if (data.site.isPrivate && !name?.startsWith('branding/') && !(await mayVisit(req, data)))
    return void res.writeHead(302, { location: '/403' }).end()
  const file = name ? await data.storage.get(name) : undefined
  if (!name || !file) return void res.writeHead(404, { 'content-type': 'text/plain' }).end()
  const type = shown[extname(name).toLowerCase()]
  const edge = Number(new URL(req.url ?? '/', 'http://x').searchParams.get('s'))
  const body = type && THUMBNAIL_EDGES.includes(edge) ? await thumbnail(name, file, edge, data) : file
  res.setHeader('content-security-policy', "default-src 'none'; sandbox")
  res.setHeader('cache-control', data.site.isPrivate ? 'private, max-age=3600' : 'public, max-age=31536000, immutable')
  res.setHeader('content-type', type && body !== file ? 'image/webp' : (type ?? 'application/octet-stream'))
  if (!type) res.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name.split('/').at(-1) as string)}`)
  sendRange(req, res, body)
}

function safeName(path: string): string | null {
  let name: string
  try {
    name = decodeURIComponent(path.slice('/uploads/'.length))
  } catch {
    return null
  }
  return name.includes('\0') || name.split('/').some((part) => part === '' || part.startsWith('.')) ? null : name
}

async function mayVisit(req: IncomingMessage, data: KernelData): Promise<boolean> {
  const token = readCookie(req.headers.cookie, 'visit')
  const person = token ? await data.credentials.authenticateVisit(token) : null
  return person?.state === 'normal'
}

async function thumbnail(name: string, file: Buffer, edge: number, data: KernelData): Promise<Buffer> {
  const kept = `thumbnails/${edge}/${name}.webp`
  const before = await data.storage.get(kept)
  if (before) return before
  const made = await data.images.thumbnail(file, edge)
  await data.storage.put(kept, made, 'image/webp')
  return made
}

function sendRange(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
  res.setHeader('accept-ranges', 'bytes')
  const range = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? '')
  let from = 0
  let to = body.length - 1
  if (range && (range[1] || range[2])) {
    from = range[1] ? Number(range[1]) : Math.max(0, body.length - Number(range[2]))
    to = range[1] && range[2] ? Math.min(Number(range[2]), to) : to
    if (from > to) return void res.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
    res.setHeader('content-range', `bytes ${from}-${to}/${body.length}`)
    res.statusCode = 206
  }
  res.setHeader('content-length', to - from + 1)
  if (req.method === 'HEAD') return void res.end()
  res.end(body.subarray(from, to + 1))
}
