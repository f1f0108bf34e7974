import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Migration } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Connection } from '../../data/db/connection.ts'
import { kernelMigrations } from '../../data/db/kernel-migrations.ts'
import { createMigrationTable, migrate } from '../../data/db/migrate.ts'
import { createDatabase } from '../../data/db/transactions.ts'
import type { DatabaseTarget } from '../../data/site/setup.ts'
import { configuredDatabase, defaultDatabase, openConfigured, refuseLostSite, rememberSite } from '../../data/site/setup.ts'
import { FolderScanner } from '../../kernel/packages/scan-folders.ts'
import { resolve } from '../../kernel/plugin-set/resolve.ts'
import { loadBundle } from '../../kernel/runtime/load-code.ts'
import { PRIVATE_FOLDER } from '../../shared/private-files.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { CommandError } from '../operator.ts'
import { loadRows } from './load-rows.ts'
import type { ArchiveManifest } from './manifest.ts'
import { quoted, shapesOf } from './shapes.ts'
import { unpackArchive } from './unpack-archive.ts'

type Steps = (Migration & { name: string })[]

/** Folders of the data directory that come with an archive. */
const FOLDERS = ['uploads', 'plugins']

export interface RestoreOptions {
  config: Config
  /** Folder of the plugins that come with the site. */
  bundled: string
  say(text: string): void
}

/**
 * Restores an archive into an empty data directory and an empty database, whichever of the two kinds.
 * @returns what was restored. @throws CommandError with one sentence; directory and database are as they were then
 */
export async function restore(file: string, { config, bundled, say }: RestoreOptions): Promise<ArchiveManifest> {
  const { dataDir } = config
  if (!existsSync(file)) throw new CommandError(`${file} is not there.`)
  if (!existsSync(bundled)) throw new CommandError('The plugins are not built: run "npm run build" first.')
  const target = configuredDatabase(dataDir, config.databaseUrl) ?? defaultDatabase(dataDir)
  refuseFilled(dataDir, target)
  await mkdir(dataDir, { recursive: true, mode: PRIVATE_FOLDER })
  const draft = await mkdtemp(join(dataDir, '.import-'))
  try {
    const manifest = await unpackArchive(file, draft)
    say('Every checksum is right.')
    const steps = stepsOf(manifest, bundled, join(draft, 'files', 'plugins'))
    if (target.dialect === 'sqlite') await intoFile(target.file, join(draft, 'stoa.db'), draft, dataDir, manifest, steps, say)
    else await intoServer(target, config.databaseUrl !== undefined, draft, dataDir, manifest, steps, say)
    await rememberSite(dataDir)
    return manifest
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function refuseFilled(dataDir: string, target: DatabaseTarget): void {
  const other = 'name an empty one, by STOA_DATA'
  if (target.dialect === 'sqlite') {
    if (existsSync(target.file)) throw new CommandError(`The database "${target.file}" is there already; ${other}. Nothing was changed.`)
    refuseLostSite(dataDir, target, false)
  }
  const full = FOLDERS.find((folder) => existsSync(join(dataDir, folder)) && readdirSync(join(dataDir, folder)).length > 0)
  if (full) throw new CommandError(`The data directory "${dataDir}" holds files of a site in "${full}"; ${other}. Nothing was changed.`)
}

/** The steps that made the tables of an archive, plugins in the order in which they need each other. @throws CommandError when some are not known here */
function stepsOf({ migrations }: ArchiveManifest, bundled: string, installed: string): { slug: string; steps: Steps }[] {
  const found = new FolderScanner([
    { folder: bundled, origin: 'bundled' },
    { folder: installed, origin: 'installed' },
  ]).scan(new Set())
  const all = [...found.bundled, ...found.kept, ...found.dropped]
  const stepsIn = (plugin: DiscoveredPlugin): Steps =>
    plugin.manifest.build.migrations ? loadBundle<Steps>(plugin, plugin.manifest.build.migrations) : []
  const select = (slug: string, versions: Steps[]): Steps => {
    const names = migrations[slug] ?? []
    const steps = versions.find((known) => names.every((name) => known.some((step) => step.name === name)))
    if (steps) return steps.filter(({ name }) => names.includes(name))
    const newer = slug === 'kernel' ? 'Stoa' : `the plugin ${slug}`
    throw new CommandError(`The archive was made by a newer version of ${newer} than is here; update it first. Nothing was restored.`)
  }
  const order = resolve(found.bundled).ordered.map(({ manifest }) => manifest.slug)
  const place = (slug: string) => (order.includes(slug) ? order.indexOf(slug) : order.length)
  const slugs = Object.keys(migrations).filter((slug) => slug !== 'kernel')
  return [
    { slug: 'kernel', steps: select('kernel', [kernelMigrations]) },
    ...slugs
      .sort((a, b) => place(a) - place(b))
      .map((slug) => ({ slug, steps: select(slug, all.filter((plugin) => plugin.manifest.slug === slug).map(stepsIn)) })),
  ]
}

async function makeTables(connection: Connection, plugins: { slug: string; steps: Steps }[]): Promise<void> {
  const database = createDatabase({ current: connection }, () => {})
  const now = () => Math.floor(Date.now() / 1000)
  await createMigrationTable(database)
  for (const { slug, steps } of plugins) await migrate(database, slug, steps, now)
}

type Into = [
  draft: string,
  dataDir: string,
  manifest: ArchiveManifest,
  plugins: { slug: string; steps: Steps }[],
  say: (text: string) => void,
]

/** A file that is filled elsewhere, and appears in its place when it is whole. */
async function intoFile(file: string, unfinished: string, ...[draft, dataDir, manifest, plugins, say]: Into): Promise<void> {
  const connection = await openConfigured({ dialect: 'sqlite', file: unfinished }, false, () => {})
  try {
    await makeTables(connection, plugins)
    await loadRows(connection, draft, manifest, say)
  } finally {
    await connection.close()
  }
  await placeFiles(draft, dataDir, () => rename(unfinished, file))
}

async function intoServer(
  target: DatabaseTarget,
  fromEnvironment: boolean,
  ...[draft, dataDir, manifest, plugins, say]: Into
): Promise<void> {
  const connection = await openConfigured(target, fromEnvironment, () => {})
  const tables = async () => [
    ...(await shapesOf(async (text) => (await sql.raw<Record<string, unknown>>(text).execute(connection.writer)).rows, 'postgres')).keys(),
  ]
  try {
    const before = new Set(await tables())
    if ([...before].some((table) => table.startsWith('kernel__')))
      throw new CommandError('The database of DATABASE_URL holds a site already; name an empty one. Nothing was changed.')
    refuseLostSite(dataDir, target, false)
    try {
      await makeTables(connection, plugins)
      await placeFiles(draft, dataDir, () => loadRows(connection, draft, manifest, say))
    } catch (error) {
      const made = (await tables()).filter((table) => !before.has(table))
      for (const table of made) await sql.raw(`drop table ${quoted(table)} cascade`).execute(connection.writer)
      throw error
    }
  } finally {
    await connection.close()
  }
}

/** Puts the files where they belong, then does the last step; takes them away again when that fails. */
async function placeFiles(draft: string, dataDir: string, last: () => Promise<void>): Promise<void> {
  const coming = FOLDERS.filter((folder) => existsSync(join(draft, 'files', folder)))
  const placed: string[] = []
  try {
    for (const folder of coming) {
      const place = join(dataDir, folder)
      if (existsSync(place)) await rmdir(place)
      await rename(join(draft, 'files', folder), place)
      placed.push(place)
    }
    await last()
  } catch (error) {
    for (const place of placed) await rm(place, { recursive: true, force: true })
    throw error
  }
}
