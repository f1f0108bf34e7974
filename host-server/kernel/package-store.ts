import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { packageErrors, pluginErrors } from '@stoa/sdk/server'
import type { DiscoveredPlugin } from '../types.ts'
import { readArchive } from './archive.ts'
import { filesOf, readPlugin, STORE } from './discover.ts'

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
  keep(plugin: DiscoveredPlugin): Promise<DiscoveredPlugin>
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
      const { slug, version } = read.manifest
      const key = `${version}-${read.generation.slice(0, 8)}`
      const folder = join(root, slug, key)
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
    async keep(plugin) {
      if (plugin.key !== undefined || plugin.origin === 'bundled') return plugin
      const files = new Map<string, Buffer>()
      for (const name of filesOf(plugin.folder)) files.set(name, await readFile(join(plugin.folder, name)))
      const kept = await place(files)
      if (kept.generation !== plugin.generation) throw packageErrors.being_written()
      return kept
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
