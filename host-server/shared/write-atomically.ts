import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from './private-files.ts'

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
