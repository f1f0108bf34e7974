import { link, mkdir, mkdtemp, opendir, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { THUMBNAILS } from '../../data/services/storage.ts'
import { PRIVATE_FOLDER } from '../../shared/private-files.ts'

/** Folders of the data directory that belong to the site, and what of each is made again. */
const MADE_AGAIN = { uploads: THUMBNAILS, plugins: '.versions/.' }
type SiteFolder = keyof typeof MADE_AGAIN
export const SITE_FOLDERS = Object.keys(MADE_AGAIN) as SiteFolder[]

/** What disks and systems answer that give a file no second name, or nobody a place to write. */
const NO_SECOND_NAME = ['EPERM', 'EACCES', 'EROFS', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Gives each file of a site a second name, so that it stays as it is while the site hides, shows and deletes files. Costs no space. Where the disk has no
 * second names, files are read where they lie.
 * @returns the folder to read from
 */
export async function holdFiles(dataDir: string): Promise<{ folder: string; release(): Promise<void> }> {
  let folder = ''
  const release = () => rm(folder, { recursive: true, force: true })
  try {
    folder = await mkdtemp(join(dataDir, '.export-'))
    for (const name of SITE_FOLDERS) {
      for await (const path of filesBelow(dataDir, name)) {
        const held = join(folder, name, path)
        await mkdir(dirname(held), { recursive: true, mode: PRIVATE_FOLDER })
        await link(join(dataDir, name, path), held).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
        })
      }
    }
    return { folder, release }
  } catch (error) {
    if (folder) await release()
    if (NO_SECOND_NAME.includes((error as NodeJS.ErrnoException).code ?? '')) return { folder: dataDir, release: async () => {} }
    throw error
  }
}

/** Paths of plain files that an archive carries; links lead elsewhere and stay. */
export async function* filesBelow(dataDir: string, name: SiteFolder): AsyncIterable<string> {
  const folder = join(dataDir, name)
  const found = await opendir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!found) return
  for await (const entry of found) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (entry.isFile() && !path.startsWith(MADE_AGAIN[name])) yield path
  }
}
