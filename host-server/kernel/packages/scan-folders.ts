import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { CodedError } from '@stoa/sdk'
import { isCodedError } from '@stoa/sdk'
import { checkManifest, packageErrors, sdkVersion } from '@stoa/sdk/kernel'
import { LRUCache } from 'lru-cache'
import semver from 'semver'
import { integrityOf } from '../../../sdk/kernel/integrity.ts'
import type { BuildFacts, BuiltManifest, DiscoveredPlugin, LocaleFile } from '../../shared/types.ts'
import type { KnownPlugin } from './read-memory.ts'
import { ReadMemory } from './read-memory.ts'

/** Something that is meant to be a plugin and cannot be one. */
export interface BrokenPlugin {
  /** Name of the folder or archive; there may be no trustworthy slug. */
  slug: string
  problem: CodedError
  origin: 'bundled' | 'installed'
  /** Where it lies, when somebody put it into `<data>/plugins`. */
  folder?: string
}

/** Everything that lies about, in whatever version. */
export interface Found {
  /** What came with the site. */
  bundled: DiscoveredPlugin[]
  /** Folders that somebody put into `<data>/plugins`. */
  dropped: DiscoveredPlugin[]
  /** Versions in the store, with their keys. */
  kept: DiscoveredPlugin[]
  broken: BrokenPlugin[]
}

export interface PluginRoot {
  folder: string
  origin: 'bundled' | 'installed'
}

/** Folder of the store below `<data>/plugins`. */
export const STORE = '.versions'
/** Limits of one plugin, so that nobody fills disk or memory with one. */
export const MAX_FILES = 2_000
export const MAX_FILE_BYTES = 16 * 1024 * 1024
export const MAX_TOTAL_BYTES = 64 * 1024 * 1024
const MAX_MANIFEST_BYTES = 1024 * 1024

/** For people. */
export const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)

type Read = DiscoveredPlugin | { problem: CodedError }

/** Reads plugin folders and remembers what it has read: what came with the site until `renew`, versions for good, dropped folders until they change. */
export class FolderScanner {
  readonly #roots: readonly PluginRoot[]
  readonly #reserved: ReadonlySet<string>
  readonly #known = new Map<string, { signature: string; read: Read }>()
  readonly #memory: ReadMemory | undefined

  /**
   * @param reserved slugs that no package from outside may newly take
   * @param memory file that remembers what was read of what came with the site, see {@link ReadMemory}
   */
  constructor(roots: readonly PluginRoot[], reserved: ReadonlySet<string> = new Set(), memory?: string) {
    this.#roots = roots
    this.#reserved = reserved
    this.#memory = memory === undefined ? undefined : new ReadMemory(memory)
  }

  /** What came with the site under this slug is read again at the next look. */
  renew(slug: string): void {
    for (const folder of this.#known.keys()) if (basename(folder) === slug) this.#known.delete(folder)
  }

  /** @param owned slugs that installed packages had before anything with them came with the site */
  scan(owned: ReadonlySet<string>): Found {
    const found: Found = { bundled: [], dropped: [], kept: [], broken: [] }
    for (const { folder, origin } of this.#roots) {
      for (const name of foldersIn(folder)) this.#readFolder(found, owned, join(folder, name), origin)
      if (origin === 'installed') this.#readStore(found, join(folder, STORE))
    }
    this.#memory?.save()
    return found
  }

  #readFolder(found: Found, owned: ReadonlySet<string>, folder: string, origin: PluginRoot['origin']): void {
    const read = this.#read(folder, origin)
    const refuse = (problem: CodedError) =>
      found.broken.push({ slug: basename(folder), problem, origin, ...(origin === 'installed' && { folder }) })
    if ('problem' in read) return void refuse(read.problem)
    const list = found[origin === 'bundled' ? 'bundled' : 'dropped']
    const { slug, version } = read.manifest
    if (origin === 'bundled' && owned.has(slug))
      return void found.broken.push({ slug, problem: packageErrors.name_taken({ slug, version }), origin })
    const other = list.find((plugin) => plugin.manifest.slug === slug)
    if (other) return void refuse(packageErrors.slug_taken({ slug, folder: relative(process.cwd(), other.folder) }))
    const own = origin === 'installed' ? found.bundled.find((plugin) => plugin.manifest.slug === slug) : undefined
    if (own && !semver.gt(version, own.manifest.version))
      return void refuse(packageErrors.not_newer({ slug, version, bundled: own.manifest.version }))
    if (origin === 'installed' && !own && this.#reserved.has(slug) && !owned.has(slug)) return void refuse(packageErrors.reserved({ slug }))
    list.push(read)
  }

  #readStore(found: Found, store: string): void {
    for (const slug of foldersIn(store)) {
      for (const key of this.#keysOf(found, store, slug)) {
        const read = this.#read(join(store, slug, key), 'installed', key)
        if ('problem' in read) found.broken.push({ slug, problem: read.problem, origin: 'installed' })
        else found.kept.push(read)
      }
    }
  }

  #keysOf(found: Found, store: string, slug: string): string[] {
    try {
      return foldersIn(join(store, slug))
    } catch (error) {
      found.broken.push({ slug, problem: unreadable(error), origin: 'installed' })
      return []
    }
  }

  #read(folder: string, origin: PluginRoot['origin'], key?: string): Read {
    const known = this.#known.get(folder)
    const isDropped = origin === 'installed' && key === undefined
    // A version that was damaged may have been put right.
    if (known && !isDropped && !(key !== undefined && 'problem' in known.read)) return known.read
    let signature = ''
    if (isDropped) {
      try {
        signature = signatureOf(folder)
      } catch (error) {
        return { problem: unreadable(error) }
      }
      if (known?.signature === signature) return known.read
    }
    const read = readPlugin(folder, origin, origin === 'bundled' ? this.#memory : undefined)
    const result = key === undefined || 'problem' in read ? read : stored(read, key)
    this.#known.set(folder, { signature, read: result })
    return result
  }
}

/** A version in the store, unless its bytes are no longer those that its name was made of. */
const stored = (read: DiscoveredPlugin, key: string): Read =>
  keyOf(read) === key ? { ...read, key } : { problem: packageErrors.changed() }

/** Name of a version in the store. */
export const keyOf = ({ manifest, files }: DiscoveredPlugin): string => `${manifest.version}-${files.slice(0, 8)}`

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort((a, b) => a.localeCompare(b))
}

/**
 * Changes whenever a file of the folder may have changed; reads no contents.
 * @throws when the folder holds a link or more than a plugin may
 */
export function signatureOf(folder: string): string {
  const hash = createHash('sha256')
  let files = 0
  let bytes = 0
  for (const file of filesOf(folder)) {
    const { size, mtimeMs, ino } = lstatSync(join(folder, file))
    files++
    bytes += size
    if (size > MAX_FILE_BYTES) throw packageErrors.file_too_large({ name: file, size: megabytes(size), most: megabytes(MAX_FILE_BYTES) })
    if (files > MAX_FILES) throw packageErrors.too_many_files({ most: MAX_FILES })
    if (bytes > MAX_TOTAL_BYTES) throw packageErrors.unpacks_too_large({ most: megabytes(MAX_TOTAL_BYTES) })
    hash.update(`${file}\0${size}\0${mtimeMs}\0${ino}\0`)
  }
  return hash.digest('hex')
}

/** Names of a plugin's files below its folder, in order. @throws when a link is among them */
export function filesOf(folder: string): string[] {
  const walk = (inner: string): string[] =>
    readdirSync(join(folder, inner), { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const file = inner === '' ? entry.name : `${inner}/${entry.name}`
        if (entry.name === 'node_modules' || entry.name.endsWith('.map')) return []
        if (entry.isSymbolicLink()) throw packageErrors.link({ name: file })
        if (entry.isDirectory()) return walk(file)
        return entry.isFile() ? [file] : []
      })
  return walk('')
}

/** Source maps of a plugin's server parts: they come along for the log and are no part of what it is. */
export const mapsOf = (folder: string): string[] =>
  ['server', 'reads', 'migrations']
    .map((part) => `${part}.cjs.map`)
    .filter((name) => {
      const facts = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return facts?.isFile() && facts.size <= MAX_FILE_BYTES
    })

/** Reads and checks one folder without running any of its code. Whatever lies there, the result is a plugin or what is wrong with it. */
export function readPlugin(folder: string, origin: 'bundled' | 'installed', memory?: ReadMemory): Read {
  try {
    return readFolder(folder, origin, memory)
  } catch (error) {
    return { problem: unreadable(error) }
  }
}

/** What was read before, by signature: a process that opens site after site reads the same folders for each. */
const readBefore = new LRUCache<string, KnownPlugin>({ max: 1_000 })

function readFolder(folder: string, origin: 'bundled' | 'installed', memory?: ReadMemory): Read {
  const signature = signatureOf(folder)
  const known = readBefore.get(signature) ?? memory?.get(signature)
  if (known) {
    digested.set(signature, known.files)
    return { ...known, folder, origin }
  }
  const json = readManifest(join(folder, 'plugin.json'))
  const asked = (json as { sdk?: unknown } | null)?.sdk
  if (typeof asked === 'string' && semver.validRange(asked) !== null && !semver.satisfies(sdkVersion, asked))
    return { problem: packageErrors.wrong_sdk({ asked, here: sdkVersion }) }
  const checked = checkManifest(json)
  if ('errors' in checked) return { problem: packageErrors.bad_manifest({ reason: checked.errors.join('; ') }) }
  const build = { ...defaultFacts(folder), ...(json as { build?: Partial<BuildFacts> }).build }
  const { web } = build
  if (web) build.web = { ...web, integrity: digests(folder, web) }
  const manifest: BuiltManifest = { ...checked.ok, contributes: checked.ok.contributes ?? {}, build }
  const named = nameOf(folder, build.web, signature)
  for (const file of localesIn(folder)) checkTexts(folder, file)
  const read = { manifest, ...named }
  readBefore.set(signature, read)
  memory?.set(signature, read)
  return { ...read, folder, origin }
}

/** @throws an error of `packageErrors`; nothing is opened that is no ordinary file of ordinary size */
function readManifest(file: string): unknown {
  const facts = lstatSync(file, { throwIfNoEntry: false })
  const name = 'plugin.json'
  if (!facts) throw packageErrors.no_manifest()
  if (facts.isSymbolicLink()) throw packageErrors.link({ name })
  if (!facts.isFile()) throw packageErrors.no_manifest()
  if (facts.size > MAX_MANIFEST_BYTES)
    throw packageErrors.file_too_large({ name, size: megabytes(facts.size), most: megabytes(MAX_MANIFEST_BYTES) })
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw packageErrors.bad_manifest({ reason: `not JSON: ${(error as Error).message}` })
  }
}

/** Texts are read when the plugin is listed, long before its code runs. @throws where they are no texts */
function checkTexts(folder: string, file: string): void {
  let texts: LocaleFile | null
  try {
    texts = JSON.parse(readFileSync(join(folder, 'locales', file), 'utf8')) as LocaleFile | null
  } catch (error) {
    throw new Error(`locales/${file}: ${(error as Error).message}`)
  }
  const isTree = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const { web = {}, server = {} } = isTree(texts) ? (texts as LocaleFile) : { web: null }
  if (!isTree(web) || !isTree(server) || !Object.values(server).every((text) => typeof text === 'string'))
    throw new Error(`locales/${file} must be an object with the members "web" and "server", objects of texts`)
}

const unreadable = (error: unknown): CodedError =>
  isCodedError(error) ? error : packageErrors.unreadable({ reason: (error as Error).message })

/** Digests of every file that browsers load, whether the build has noted them or not. @throws when a file is not the one that was built */
function digests(folder: string, { entry, modules, integrity }: NonNullable<BuildFacts['web']>): Record<string, string> {
  const named = new Set([entry, ...Object.values(modules).flatMap(({ js, css }) => [...js, ...css]), ...Object.keys(integrity)])
  const there = [...named].filter((file) => existsSync(join(folder, file)))
  const own = there.map((file) => [file, integrityOf(readFileSync(join(folder, file)))] as const)
  for (const [file, digest] of own) {
    if ((integrity[file] ?? digest) !== digest) throw packageErrors.file_changed({ name: file })
  }
  return Object.fromEntries(own)
}

/**
 * The name of what lies in a folder: whoever has it can check every byte, the server of all files, a browser of what it is told of the
 * plugin and by that of every file it loads.
 */
export function nameOf(
  folder: string,
  web: BuildFacts['web'],
  signature = signatureOf(folder),
): Pick<DiscoveredPlugin, 'generation' | 'files'> {
  const files = digestOf(folder, signature)
  return { files, generation: createHash('sha256').update(webText(web, files)).digest('hex').slice(0, 32) }
}

/** What browsers are told of a plugin; its digest is the generation. */
export const webText = (web: BuildFacts['web'], files: string): string => JSON.stringify({ ...web, files })

function defaultFacts(folder: string): BuildFacts {
  const there = (name: string) => (existsSync(join(folder, name)) ? name : null)
  return {
    server: there('server.cjs'),
    reads: there('reads.cjs'),
    migrations: there('migrations.cjs'),
    web: null,
    locales: localesIn(folder).map((name) => name.slice(0, -'.json'.length)),
  }
}

/** Names of the files of texts. */
function localesIn(folder: string): string[] {
  const locales = join(folder, 'locales')
  return existsSync(locales) ? readdirSync(locales).filter((name) => name.endsWith('.json')) : []
}

/** Digests by signature: the copies of a folder that are links to the same files are read once. */
const digested = new LRUCache<string, string>({ max: 1_000 })

function digestOf(folder: string, signature: string): string {
  const found = digested.get(signature) ?? hashFolder(folder)
  digested.set(signature, found)
  return found
}

/**
 * Over names and contents of all files. `x.js.br` and `x.js.gz` are forms of `x.js` and no content of their own: who compresses better or not
 * at all has the same plugin. They are sent in its place, so they must be forms of exactly it.
 * @throws when one is not
 */
function hashFolder(folder: string): string {
  const hash = createHash('sha256')
  const files = new Set(filesOf(folder))
  for (const file of files) {
    const content = readFileSync(join(folder, file))
    const form = /^(.+)\.(br|gz)$/.exec(file)
    if (!form || !files.has(form[1] as string)) hash.update(`${file}\0${content.length}\0`).update(content)
    else if (!isFormOf(content, form[2] === 'br' ? brotliDecompressSync : gunzipSync, readFileSync(join(folder, form[1] as string))))
      throw packageErrors.file_changed({ name: file })
  }
  return hash.digest('hex')
}

function isFormOf(packed: Buffer, unpack: (packed: Buffer, options: { maxOutputLength: number }) => Buffer, plain: Buffer): boolean {
  try {
    // A few KB may unpack to gigabytes.
    return unpack(packed, { maxOutputLength: Math.max(1, plain.length) }).equals(plain)
  } catch {
    return false
  }
}
