import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SiteInfo, Storage } from '@stoa/sdk/server'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../shared/private-files.ts'
import { writeAtomically } from '../../shared/write-atomically.ts'

/** Square thumbnails that may be asked for, in pixels: a short list, so that nobody fills the disk. */
export const THUMBNAIL_EDGES = [32, 48, 64, 96, 128, 256, 512, 1024]
/** Where a thumbnail is kept. */
export const thumbnailOf = (path: string, edge: number): string => `${THUMBNAILS}${edge}/${path}.webp`
export const THUMBNAILS = 'thumbnails/'
/** Below the folder of uploads; no address leads there. */
const HIDDEN = '.hidden'
/** Beside a hidden file: the id of its owner. */
const OWNER = '.owner'

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** A path that stays in the folder and names no hidden file. File systems take parts of at most 255 bytes. */
const isStoragePath = (path: string): boolean =>
  path.length <= 300 && path.split('/').every((segment) => segment.length <= 200 && SEGMENT.test(segment) && !segment.includes('..'))

/** @throws when a path could leave the folder or name a hidden file */
function checked(path: string): string {
  if (!isStoragePath(path)) throw new Error(`Not a storage path: ${JSON.stringify(path.slice(0, 100))}; letters, digits and -_./ make one`)
  return path
}

/** What the kernel itself needs to send a stored file without reading it. */
export interface StoredFiles extends Storage {
  /** Absolute. */
  readonly folder: string
  /** Of files that only staff and who uploaded them may see; absolute. */
  readonly hiddenFolder: string
  /** Whose a hidden file is; undefined where nobody knows. */
  ownerOf(path: string): Promise<number | undefined>
  /** Size in bytes; undefined where no file is or can be. */
  size(path: string, folder?: string): Promise<number | undefined>
}

/** Files below `<data>/uploads`. */
export function createStorage(folder: string, site: Pick<SiteInfo, 'url'>): StoredFiles {
  const fileOf = (path: string) => join(folder, checked(path))
  const hiddenFolder = join(folder, HIDDEN)
  const hiddenFileOf = (path: string) => join(hiddenFolder, checked(path))
  /** Nothing where none is: what is wanted may be so already. */
  async function move(from: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true, mode: PRIVATE_FOLDER })
    await rename(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  async function forgetThumbnails(path: string): Promise<void> {
    for (const edge of THUMBNAIL_EDGES) await rm(fileOf(thumbnailOf(path, edge)), { force: true })
  }
  const size: StoredFiles['size'] = async (path, within = folder) => {
    const found = isStoragePath(path) ? await stat(join(within, path)).catch(() => undefined) : undefined
    return found?.isFile() ? found.size : undefined
  }
  return {
    folder,
    hiddenFolder,
    size,
    async put(path, data) {
      await writeAtomically(fileOf(path), data)
      return `${site.url}/uploads/${path}`
    },
    async get(path) {
      try {
        return await readFile(fileOf(path))
      } catch (error) {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
        throw error
      }
    },
    async delete(path) {
      for (const file of [fileOf(path), hiddenFileOf(path), hiddenFileOf(path) + OWNER]) await rm(file, { force: true })
      await forgetThumbnails(path)
    },
    async hide(path, ownerId) {
      await move(fileOf(path), hiddenFileOf(path))
      await forgetThumbnails(path)
      if (ownerId === undefined || (await size(path, hiddenFolder)) === undefined) return
      await writeFile(hiddenFileOf(path) + OWNER, String(ownerId), { mode: PRIVATE_FILE })
    },
    async show(path) {
      await move(hiddenFileOf(path), fileOf(path))
      await rm(hiddenFileOf(path) + OWNER, { force: true })
    },
    async ownerOf(path) {
      const written = isStoragePath(path) ? await readFile(join(hiddenFolder, path) + OWNER, 'utf8').catch(() => '') : ''
      return written === '' ? undefined : Number(written)
    },
  }
}
