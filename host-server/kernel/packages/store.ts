import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { packageErrors, pluginErrors } from '@stoa/sdk/kernel'
import { addCompressedForms } from '../../../sdk/build/compressed-forms.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { readArchive } from './archive.ts'
import { filesOf, keyOf, mapsOf, nameOf, readPlugin, STORE } from './scan-folders.ts'

/** Folder in the store for what comes with the site: `<slug>/<generation>/`. */
const BUNDLED = '.bundled'
/** Builds of one plugin that stay there: another process may still run the one before. */
const KEPT_BUILDS = 3

/**
 * Versions of installed plugins, `<data>/plugins/.versions/<slug>/<key>/`. A version appears there whole or not at all and never changes;
 * which one runs is decided in the database.
 */
export interface PackageStore {
  /** Unpacks an archive. @throws an error of `packageErrors` */
  unpack(file: string): Promise<DiscoveredPlugin>
  /** Lends a file with these bytes to `fn`. */
  received<R>(archive: Buffer, fn: (file: string) => Promise<R>): Promise<R>
  /** Takes a copy of a folder, so that what runs stays as it is when the folder changes. @throws an error of `packageErrors` */
  copyToStore(plugin: DiscoveredPlugin): Promise<DiscoveredPlugin>
  /**
   * The plugin in a folder that nothing writes into while it runs: what came with the site is linked into the store, so that a new build
   * beside a running site changes nothing of it. @throws when its files are no longer those of its generation
   */
  place(plugin: DiscoveredPlugin): Promise<DiscoveredPlugin>
  /** Deletes versions of a plugin that nothing refers to. */
  prune(slug: string, keys: ReadonlySet<string>): Promise<void>
  /** Deletes every version, and the folders the plugin was dropped in. */
  remove(slug: string, dropped: readonly string[]): Promise<void>
  /** Deletes what a killed process left half-written. */
  clean(): Promise<void>
}

export function createPackageStore(pluginsDir: string): PackageStore {
  const root = join(pluginsDir, STORE)

  async function place(files: Map<string, Buffer>): Promise<DiscoveredPlugin> {
    const draft = join(root, `.${randomBytes(8).toString('hex')}.tmp`)
    try {
      for (const [name, content] of files) await write(join(draft, name), content)
      const read = readPlugin(draft, 'installed')
      if ('problem' in read) throw read.problem
      // What was packed without them gets its compressed forms here, once.
      await addCompressedForms(draft)
      const { slug } = read.manifest
      const key = keyOf(read)
      const folder = join(root, slug, key)
      if (existsSync(folder) && !isWhole(read, folder)) await discard(folder)
      if (!existsSync(folder)) {
        await mkdir(dirname(folder), { recursive: true })
        await rename(draft, folder)
        await sync(dirname(folder))
      }
      return { ...read, folder, key }
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }

  function isWhole(plugin: DiscoveredPlugin, folder: string): boolean {
    try {
      return nameOf(folder, plugin.manifest.build.web).generation === plugin.generation
    } catch {
      return false
    }
  }

  async function linked(plugin: DiscoveredPlugin): Promise<string> {
    const all = join(root, BUNDLED, plugin.manifest.slug)
    const folder = join(all, plugin.generation)
    if (existsSync(folder)) {
      if (isWhole(plugin, folder)) return folder
      await discard(folder)
    }
    const draft = join(root, `.${randomBytes(8).toString('hex')}.tmp`)
    try {
      for (const name of [...filesOf(plugin.folder), ...mapsOf(plugin.folder)])
        await linkOrCopy(join(plugin.folder, name), join(draft, name))
      if (!isWhole(plugin, draft)) throw packageErrors.built_anew()
      await mkdir(all, { recursive: true })
      await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
        // Another process was faster.
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    const made = await Promise.all((await readdir(all)).map(async (name) => ({ name, at: (await stat(join(all, name))).mtimeMs })))
    const old = made.filter(({ name }) => name !== plugin.generation).sort((a, b) => b.at - a.at)
    for (const { name } of old.slice(KEPT_BUILDS - 1)) await discard(join(all, name)).catch(() => undefined)
    return folder
  }

  /** Renamed first: a folder that is half deleted must not be taken for a plugin. */
  async function discard(folder: string): Promise<void> {
    const gone = join(root, `.${randomBytes(8).toString('hex')}.tmp`)
    await rename(folder, gone)
    await rm(gone, { recursive: true, force: true })
  }

  return {
    unpack: async (file) => place(await readArchive(file)),
    async received(archive, fn) {
      const file = join(root, `.${randomBytes(8).toString('hex')}.tmp`)
      try {
        await write(file, archive)
        return await fn(file)
      } finally {
        await rm(file, { force: true })
      }
    },
    async copyToStore(plugin) {
      if (plugin.key !== undefined || plugin.origin === 'bundled') return plugin
      const files = new Map<string, Buffer>()
      for (const name of [...filesOf(plugin.folder), ...mapsOf(plugin.folder)]) files.set(name, await readFile(join(plugin.folder, name)))
      const kept = await place(files)
      if (kept.generation !== plugin.generation) throw packageErrors.being_written()
      return kept
    },
    async place(plugin) {
      if (plugin.origin === 'bundled') return { ...plugin, folder: await linked(plugin) }
      if (!isWhole(plugin, plugin.folder)) throw packageErrors.changed()
      return plugin
    },
    async prune(slug, keys) {
      const folder = join(root, slug)
      if (!existsSync(folder)) return
      for (const key of await readdir(folder)) if (!keys.has(key)) await discard(join(folder, key))
    },
    async remove(slug, dropped) {
      for (const folder of [...dropped, join(root, slug)]) {
        if (!existsSync(folder)) continue
        await mkdir(root, { recursive: true })
        await discard(folder).catch((error: Error) => {
          throw pluginErrors.not_removed({ slug, reason: error.message })
        })
      }
    },
    async clean() {
      if (!existsSync(root)) return
      for (const name of await readdir(root)) if (name.endsWith('.tmp')) await rm(join(root, name), { recursive: true, force: true })
    },
  }
}

/** The build replaces folders and writes into none, so a link keeps what was there. Not every file system can link to every other. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await link(from, to).catch(() => copyFile(from, to))
}

async function write(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
