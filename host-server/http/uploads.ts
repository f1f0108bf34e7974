import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import { LRUCache } from 'lru-cache'
import { readCookie } from '../../sdk/pages/preferences.ts'
import { isBusy, tooMuchWaits } from '../../sdk/server/turns.ts'
import { isServedAnyway, RETRY_SECONDS } from '../calls/access.ts'
import type { KernelData } from '../data/index.ts'
import { THUMBNAIL_EDGES, THUMBNAILS, thumbnailOf } from '../data/services/storage.ts'
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
/** Thumbnails that are wanted at a time; the picture of each is in memory. */
const MOST_MAKING = 16
/** Pictures of which none could be made, so that nobody has it tried again and again. */
const REMEMBERED_FAILURES = 1000

/** Answers `/uploads/**`; false where nothing is. @throws `base.busy` while too many thumbnails are wanted */
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
    if (data.site.isPrivate && !name.startsWith('branding/') && !(await visitor(req, data))) {
      res.writeHead(302, { location: '/403' }).end()
      return true
    }
    if (data.site.closure.degree === 'nobody' && !name.startsWith('branding/') && !isServedAnyway(await visitor(req, data))) {
      res.writeHead(503, { 'retry-after': String(RETRY_SECONDS), 'cache-control': 'no-store' }).end()
      return true
    }
    // Thumbnails are asked for by their picture, and are as public as that.
    if (name.startsWith(THUMBNAILS)) return false
    const isHidden = (await data.storage.size(name)) === undefined
    if (isHidden && !(await maySeeHidden(name, await visitor(req, data), data))) return false
    const type = shown[extname(name).toLowerCase()]
    const edge = Number(new URLSearchParams((req.url ?? '').split('?')[1]).get('s'))
    const thumbnail = type !== undefined && !isHidden && THUMBNAIL_EDGES.includes(edge) ? await thumbnails(name, edge) : undefined
    const last = encodeURIComponent(name.split('/').at(-1) as string)
    return await (await sender)(req, res, {
      folder: isHidden ? data.storage.hiddenFolder : data.storage.folder,
      name: thumbnail ?? name,
      headers: {
        'content-security-policy': "default-src 'none'; sandbox",
        ...(isHidden ? { 'cache-control': 'no-store' } : data.site.isPrivate ? { 'cache-control': 'private, max-age=3600' } : immutable),
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

/** Whose session's `visit` cookie came along. */
async function visitor(req: IncomingMessage, data: KernelData): Promise<Person | null> {
  const token = readCookie(req.headers.cookie, 'visit')
  const person = token ? await data.credentials.authenticateVisit(token) : null
  return person?.state === 'normal' ? person : null
}

/** What was deleted is for staff and for who uploaded it. */
async function maySeeHidden(name: string, person: Person | null, { storage }: KernelData): Promise<boolean> {
  if (!person || (await storage.size(name, storage.hiddenFolder)) === undefined) return false
  return isStaff(person) || (await storage.ownerOf(name)) === person.id
}

/**
 * Makes thumbnails: each once, however many ask for it.
 * @returns where it is; nothing where none can be made of the picture. @throws `base.busy` while too many are wanted
 */
function createThumbnails(data: KernelData): (name: string, edge: number) => Promise<string | undefined> {
  const making = new Map<string, Promise<string | undefined>>()
  const failed = new LRUCache<string, true>({ maxSize: REMEMBERED_FAILURES, sizeCalculation: () => 1 })

  async function make(name: string, edge: number, kept: string): Promise<string | undefined> {
    const picture = await data.storage.get(name)
    if (!picture) return undefined
    try {
      await data.storage.put(kept, await data.images.thumbnail(picture, edge), 'image/webp')
      return kept
    } catch (error) {
      if (isBusy(error)) throw error
      failed.set(name, true)
      return undefined
    }
  }

  return async (name, edge) => {
    const kept = thumbnailOf(name, edge)
    if ((await data.storage.size(kept)) !== undefined) return kept
    if (failed.has(name)) return undefined
    let promise = making.get(kept)
    if (!promise) {
      if (making.size >= MOST_MAKING) throw tooMuchWaits()
      promise = make(name, edge, kept).finally(() => making.delete(kept))
      making.set(kept, promise)
    }
    return await promise
  }
}
