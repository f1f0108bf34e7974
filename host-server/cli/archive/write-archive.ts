import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sdkVersion } from '@stoa/sdk/kernel'
import type { Pack } from 'tar-stream'
import { pack } from 'tar-stream'
import { prefixOf } from '../../data/db/table-prefix.ts'
import { PRIVATE_FILE } from '../../shared/private-files.ts'
import { filesBelow, SITE_FOLDERS } from './held-files.ts'
import type { ArchiveManifest } from './manifest.ts'
import { FORMAT, fileLine, hasher, MANIFEST, NOT_CARRIED, packed } from './manifest.ts'
import type { Shape } from './shapes.ts'
import { quoted, shapesOf } from './shapes.ts'
import type { Snapshot } from './snapshot.ts'

/** A part of a table is written as soon as it is as large. */
const PART_BYTES = 1024 * 1024
/** What stands in a column in place of its value: positions among events and leases mean nothing elsewhere. */
const INSTEAD: Record<string, Record<string, string>> = {
  kernel__event: { tx: '0' },
  // Before the first event that was not delivered: some come a second time, none gets lost.
  kernel__cursor: {
    tx: '0',
    event_id: `coalesce((select min(e.id) - 1 from kernel__event e where e.event = t.event and (e.tx, e.id) > (t.tx, t.event_id)),
      (select max(e.id) from kernel__event e), 0)`,
    owner: `''`,
    lease_until: '0',
  },
  kernel__job: { state: `case t.state when 'running' then 'waiting' else t.state end`, owner: `''`, lease_until: '0' },
}

export interface ArchiveSource {
  snapshot: Snapshot
  /** The data directory, or where its files are held as they were. */
  files: string
  /** Plugins that can be made again from what lies about here, and of each the tables that it fills by itself. */
  plugins: ReadonlyMap<string, readonly string[]>
  say(text: string): void
}

/** Writes a site into a new file, for its owner's eyes only. @returns what it holds. @throws when it cannot be written; nothing of it stays */
export async function writeArchive(file: string, source: ArchiveSource): Promise<ArchiveManifest> {
  const tar = pack()
  const out = createWriteStream(file, { flags: 'wx', mode: PRIVATE_FILE, flush: true })
  const writing = pipeline(tar as unknown as NodeJS.ReadableStream, createGzip(), out)
  try {
    const [manifest] = await Promise.all([fill(tar, source), writing])
    return manifest
  } catch (error) {
    tar.destroy()
    await writing.catch(() => {})
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(file, { force: true })
    throw error
  }
}

async function fill(tar: Pack, { snapshot, files, plugins, say }: ArchiveSource): Promise<ArchiveManifest> {
  const steps = await snapshot.ask('select slug, name from kernel__migration order by slug, name')
  const all = Map.groupBy(steps as { slug: string; name: string }[], ({ slug }) => slug)
  const slugs = [...all.keys()].filter((slug) => slug === 'kernel' || plugins.has(slug))
  const gone = [...all.keys()].filter((slug) => !slugs.includes(slug))
  if (gone.length > 0) say(`Left out: what plugins have stored that are not here any more (${gone.join(', ')}).`)
  const shapes = await shapesOf(snapshot.ask, snapshot.dialect)
  const derived = new Set([...plugins.values()].flat())
  const manifest: ArchiveManifest = {
    ...{ format: FORMAT, stoa: sdkVersion, madeAt: Math.floor(Date.now() / 1000), dialect: snapshot.dialect },
    migrations: Object.fromEntries(slugs.map((slug) => [slug, (all.get(slug) ?? []).map(({ name }) => name)])),
    tables: {},
    files: { count: 0, bytes: 0, sha256: '' },
    madeAgain: [],
  }
  for (const slug of slugs) {
    for (const shape of [...shapes.values()].filter(({ table }) => table.startsWith(prefixOf(slug)))) {
      if (NOT_CARRIED.has(shape.table)) continue
      if (!shape.isFullText && !derived.has(shape.table)) manifest.tables[shape.table] = await addTable(tar, snapshot, shape)
      else if (!manifest.madeAgain.includes(slug)) manifest.madeAgain.push(slug)
    }
    const rows = Object.entries(manifest.tables).reduce(
      (sum, [table, counted]) => sum + (table.startsWith(prefixOf(slug)) ? counted.rows : 0),
      0,
    )
    say(`${slug}: ${rows} rows`)
  }
  manifest.files = await addFiles(tar, files)
  say(`files: ${manifest.files.count}`)
  await add(tar, MANIFEST, JSON.stringify(manifest))
  tar.finalize()
  return manifest
}

const add = (tar: Pack, name: string, content: string): Promise<void> =>
  new Promise((done, failed) => tar.entry({ name, mode: PRIVATE_FILE }, content, (error) => (error ? failed(error) : done())))

async function addTable(tar: Pack, snapshot: Snapshot, shape: Shape): Promise<ArchiveManifest['tables'][string]> {
  const { table, columns, key } = shape
  const instead = INSTEAD[table] ?? {}
  const wanted = columns.map((name) => `${instead[name] ?? `t.${quoted(name)}`} as ${quoted(name)}`)
  const order = key.length > 0 ? ` order by ${key.map((name) => `t.${quoted(name)}`).join(', ')}` : ''
  const hash = hasher()
  let [rows, parts, lines] = [0, 0, '']
  const flush = async () => {
    if (lines === '') return
    hash.update(lines)
    await add(tar, `tables/${table}/${String(++parts).padStart(6, '0')}.jsonl`, lines)
    lines = ''
  }
  for await (const batch of snapshot.rows(`select ${wanted.join(', ')} from ${quoted(table)} t${order}`)) {
    rows += batch.length
    for (const row of batch) {
      lines += `${JSON.stringify(row, packed)}\n`
      if (lines.length >= PART_BYTES) await flush()
    }
  }
  await flush()
  return { rows, sha256: hash.digest('hex'), lastId: shape.counts ? await lastIdOf(snapshot, table) : 0 }
}

/** The highest number that was ever given, also to a row that is gone. */
async function lastIdOf({ ask, dialect }: Snapshot, table: string): Promise<number> {
  const [row] = await ask(
    dialect === 'sqlite'
      ? `select seq as n from sqlite_sequence where name = '${table}'`
      : `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('${quoted(table)}', 'id')::regclass), 0) as n`,
  )
  return Number(row?.n ?? 0)
}

async function addFiles(tar: Pack, from: string): Promise<ArchiveManifest['files']> {
  const all = hasher()
  const files = { count: 0, bytes: 0, sha256: '' }
  for (const folder of SITE_FOLDERS) {
    for await (const path of filesBelow(from, folder)) {
      const added = await addFile(tar, join(from, folder, path), `files/${folder}/${path}`)
      // Deleted since its folder was read.
      if (!added) continue
      files.count++
      files.bytes += added.bytes
      all.update(fileLine(`${folder}/${path}`, added.sha256))
    }
  }
  return { ...files, sha256: all.digest('hex') }
}

async function addFile(tar: Pack, file: string, name: string): Promise<{ bytes: number; sha256: string } | undefined> {
  const { size } = (await stat(file).catch(() => undefined)) ?? {}
  if (size === undefined) return undefined
  const hash = hasher()
  await new Promise<void>((done, failed) => {
    const entry = tar.entry({ name, size, mode: PRIVATE_FILE }, (error) => (error ? failed(error) : done()))
    const copy = async () => {
      // As many bytes as were announced, also of a file that grows meanwhile.
      for await (const chunk of size > 0 ? createReadStream(file, { end: size - 1 }) : []) {
        hash.update(chunk as Buffer)
        if (!entry.write(chunk)) await once(entry, 'drain')
      }
      entry.end(undefined)
    }
    copy().catch(failed)
  })
  return { bytes: size, sha256: hash.digest('hex') }
}
