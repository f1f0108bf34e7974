import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { readCookie } from '../../sdk/pages/preferences.ts'
import type { KernelData } from '../data/index.ts'
import { createFileSender, immutable } from '../shared/send-file.ts'

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

/** Thumbnails made at a time; each decodes a whole picture. */
const THUMBNAILS_AT_ONCE = 2

/** Answers `/uploads/**`; false where nothing is. */
export type ServeUpload = (path: string, req: IncomingMessage, res: ServerResponse) => Promise<boolean>

export function createUploads(data: KernelData): ServeUpload {
  const sender = createFileSender(false)
  const thumbnails = createThumbnails(data)

  /** On a private site only people with a session's `visit` cookie see anything but the branding. */
  return async function serve(path, req, res) {
    const name = decoded(path.slice('/uploads/'.length))
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD' }).end()
      return true
    }
    if (data.site.isPrivate && !name.startsWith('branding/') && !(await mayVisit(req, data))) {
      res.writeHead(302, { location: '/403' }).end()
      return true
    }
    if ((await data.storage.size(name)) === undefined) return false
    const type = shown[extname(name).toLowerCase()]
    const edge = Number(new URLSearchParams((req.url ?? '').split('?')[1]).get('s'))
    const thumbnail = type !== undefined && THUMBNAIL_EDGES.includes(edge) ? await thumbnails(name, edge) : undefined
    const last = encodeURIComponent(name.split('/').at(-1) as string)
    return await (await sender)(req, res, {
      folder: data.storage.folder,
      name: thumbnail ?? name,
      headers: {
        'content-security-policy': "default-src 'none'; sandbox",
        ...(data.site.isPrivate ? { 'cache-control': 'private, max-age=3600' } : immutable),
        'content-type': thumbnail === undefined ? (type ?? 'application/octet-stream') : 'image/webp',
        ...(type === undefined && { 'content-disposition': `attachment; filename*=UTF-8''${last}` }),
      },
    })
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

async function mayVisit(req: IncomingMessage, data: KernelData): Promise<boolean> {
  const token = readCookie(req.headers.cookie, 'visit')
  const person = token ? await data.credentials.authenticateVisit(token) : null
  return person?.state === 'normal'
}

/** Makes thumbnails: each once, however many ask for it, and few at a time, whatever is asked for. */
function createThumbnails(data: KernelData): (name: string, edge: number) => Promise<string> {
  const making = new Map<string, Promise<string>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function make(name: string, edge: number, kept: string): Promise<string> {
    if (running >= THUMBNAILS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      const picture = await data.storage.get(name)
      if (picture) await data.storage.put(kept, await data.images.thumbnail(picture, edge), 'image/webp')
      return kept
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return async (name, edge) => {
    const kept = `thumbnails/${edge}/${name}.webp`
    if ((await data.storage.size(kept)) !== undefined) return kept
    let promise = making.get(kept)
    if (!promise) {
      promise = make(name, edge, kept).finally(() => making.delete(kept))
      making.set(kept, promise)
    }
    return await promise
  }
}
