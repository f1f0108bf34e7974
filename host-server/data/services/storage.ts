import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SiteInfo, Storage } from '@stoa/sdk/server'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../shared/private-files.ts'

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** A path that stays in the folder and names no hidden file. File systems take parts of at most 255 bytes. */
const isStoragePath = (path: string): boolean =>
  path.length <= 300 && path.split('/').every((segment) => segment.length <= 200 && SEGMENT.test(segment) && !segment.includes('..'))

/** @throws when a path could leave the folder or name a hidden file */
function checked(path: string): string {
  if (!isStoragePath(path)) throw new Error(`Not a storage path: ${JSON.stringify(path.slice(0, 100))}; letters, digits and -_./ make one`)
  return path
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its renames are durable anyway.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Writes a private file beside the target and renames: readers see the old file or the new one, never a part, also after a power cut. */
export async function writeAtomically(file: string, data: Buffer | string): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const handle = await open(draft, 'wx', PRIVATE_FILE)
    try {
      await handle.writeFile(data)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** What the kernel itself needs to send a stored file without reading it. */
export interface StoredFiles extends Storage {
  /** Absolute. */
  readonly folder: string
  /** Size in bytes; undefined where no file is or can be. */
  size(path: string): Promise<number | undefined>
}

/** Files below `<data>/uploads`. */
export function createStorage(folder: string, site: Pick<SiteInfo, 'url'>): StoredFiles {
  const fileOf = (path: string) => join(folder, checked(path))
  return {
    folder,
    async size(path) {
      const found = isStoragePath(path) ? await stat(join(folder, path)).catch(() => undefined) : undefined
      return found?.isFile() ? found.size : undefined
    },
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
      await rm(fileOf(path), { force: true })
    },
  }
}
