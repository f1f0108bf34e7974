import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Extract } from 'tar-stream'
import { extract } from 'tar-stream'
import { isBadPart } from '../../kernel/packages/archive.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../shared/private-files.ts'
import { CommandError } from '../operator.ts'
import type { ArchiveManifest } from './manifest.ts'
import { FORMAT, fileLine, hasher } from './manifest.ts'

type Entry = Extract extends AsyncIterable<infer E> ? E : never

const MAX_MANIFEST_BYTES = 16 * 1024 * 1024
const NAME = /^(?:(manifest\.json)|tables\/([a-z][a-z0-9_]*__[a-z0-9_]+)\/\d{6}\.jsonl|files\/((?:uploads|plugins)\/.+))$/

/** Where a table's lines lie in the folder that an archive was unpacked into. */
export const linesOf = (folder: string, table: string): string => join(folder, 'tables', `${table}.jsonl`)

/**
 * Unpacks an archive into an empty folder and compares every checksum. Nothing lies outside of the folder, whatever the names in it.
 * @returns what its manifest says. @throws CommandError when it is no archive, is damaged or cut off, or was made by a newer version
 */
export async function unpackArchive(file: string, folder: string): Promise<ArchiveManifest> {
  const tables = new Map<string, ReturnType<typeof hasher>>()
  const files = { count: 0, hash: hasher() }
  let manifest: ArchiveManifest | undefined

  async function take(entry: Entry): Promise<void> {
    const { name, type } = entry.header
    const [, isManifest, table, path] = NAME.exec(name) ?? []
    const isSafe = name.length <= 1000 && !name.split('/').some(isBadPart)
    if (type !== 'file' || !isSafe || !(isManifest || table || path))
      throw new CommandError(`The archive holds "${name.slice(0, 100)}", which does not belong into one; nothing was restored.`)
    if (manifest) throw new CommandError('The archive goes on after its end; nothing was restored.')
    if (isManifest) manifest = await readManifest(entry)
    else if (table) {
      const hash = tables.get(table) ?? hasher()
      tables.set(table, hash)
      await store(entry, linesOf(folder, table), hash)
    } else {
      const hash = hasher()
      await store(entry, join(folder, 'files', path as string), hash)
      files.count++
      files.hash.update(fileLine(path as string, hash.digest('hex')))
    }
  }

  const tar = extract()
  const reading = (async () => {
    for await (const entry of tar) await take(entry)
  })()
  // Whoever fails first says why; the other then ends with a consequence of it.
  reading.catch((error) => tar.destroy(error as Error))
  const unzipping = pipeline(createReadStream(file), createGunzip(), tar as unknown as NodeJS.WritableStream)
  const [read, unzipped] = await Promise.allSettled([reading, unzipping])
  const failures = [read, unzipped].flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  const said = failures.find((error) => error instanceof CommandError)
  if (said) throw said
  if (failures[0] || !manifest)
    throw new CommandError(`The archive is damaged or cut off${failures[0] ? ` (${failures[0].message})` : ''}; nothing was restored.`)
  compare(manifest, tables, files)
  return manifest
}

async function store(entry: Entry, to: string, hash: ReturnType<typeof hasher>): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: PRIVATE_FOLDER })
  const hashed = async function* () {
    for await (const chunk of entry) {
      hash.update(chunk as Buffer)
      yield chunk as Buffer
    }
  }
  await pipeline(hashed, createWriteStream(to, { flags: 'a', mode: PRIVATE_FILE }))
}

async function readManifest(entry: Entry): Promise<ArchiveManifest> {
  if ((entry.header.size ?? 0) > MAX_MANIFEST_BYTES)
    throw new CommandError('The manifest of the archive is too large; nothing was restored.')
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk as Buffer)
  let read: Partial<ArchiveManifest> | null
  try {
    read = JSON.parse(Buffer.concat(chunks).toString()) as Partial<ArchiveManifest> | null
  } catch {
    read = null
  }
  if (!read?.tables || !read.migrations || !read.files || !Array.isArray(read.madeAgain) || typeof read.format !== 'number')
    throw new CommandError('The manifest of the archive is not one; nothing was restored.')
  if (read.format > FORMAT)
    throw new CommandError(`The archive was made by a newer Stoa (format ${read.format}, this one reads ${FORMAT}); update Stoa first.`)
  return read as ArchiveManifest
}

function compare(
  manifest: ArchiveManifest,
  tables: Map<string, ReturnType<typeof hasher>>,
  files: { count: number; hash: ReturnType<typeof hasher> },
) {
  const differs = (what: string): never => {
    throw new CommandError(`The archive was changed or damaged: ${what} not what the manifest says; nothing was restored.`)
  }
  for (const table of new Set([...Object.keys(manifest.tables), ...tables.keys()])) {
    const said = manifest.tables[table]
    if (!said || (tables.get(table) ?? hasher()).digest('hex') !== said.sha256) differs(`the rows of ${table} are`)
  }
  if (files.count !== manifest.files.count || files.hash.digest('hex') !== manifest.files.sha256) differs('the files are')
}
