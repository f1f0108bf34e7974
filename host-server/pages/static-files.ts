import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { webText } from '../kernel/packages/scan-folders.ts'
import { PluginRejected } from '../kernel/plugin-set/plugin-rejected.ts'
import type { SendFile } from '../shared/send-file.ts'
import { createFileSender, immutable } from '../shared/send-file.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import { send } from './compress.ts'
import type { WebBuild } from './joined-files.ts'

const PUBLIC = new Set(['.js', '.mjs', '.css', '.svg', '.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.woff2', '.ico'])
const isPublic = (name: string): boolean => PUBLIC.has(extname(name))

/** Present and just previous: tabs that are about to follow a switch still find their files. */
const KEPT_GENERATIONS = 2
/** Builds of core that stay on disk: another process may still run the one before. */
const KEPT_BUILDS = 3

/** Of every reply; other sites may not use the files as theirs. */
const headers = { ...immutable, 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }

/** What one generation of a plugin has for browsers. */
interface Generation {
  build: WebBuild
  names: Set<string>
  /** `web.json`, which is put together from the manifest. */
  facts: string | undefined
}

type Found = { folder: string; name: string; etag: string } | { text: string; type: string }

/**
 * Public files, by address. What an address stands for never changes: plugins run from folders that nothing writes into, and core's files,
 * whose names are made of their contents, are linked out of the folder that the next build clears.
 */
export class StaticFiles {
  readonly #send: SendFile
  readonly #coreFiles: string
  /** Name → folder. */
  readonly #core = new Map<string, string>()
  /** slug → generation → its files; the newest generation last. */
  readonly #plugins = new Map<string, Map<string, Generation>>()

  private constructor(sendFile: SendFile, coreFiles: string) {
    this.#send = sendFile
    this.#coreFiles = coreFiles
  }

  /** @param coreFiles folder that gets links to the files of core */
  static async open(coreFiles: string): Promise<StaticFiles> {
    return new StaticFiles(await createFileSender(true), coreFiles)
  }

  /** @param hash of the build in `folder` */
  readCore(folder: string, hash: string): void {
    const kept = join(this.#coreFiles, hash)
    mkdirSync(kept, { recursive: true })
    for (const name of readdirSync(folder)) {
      const isForm = /\.(br|gz)$/.test(name)
      if (!isForm && !isPublic(name)) continue
      linkOrCopy(join(folder, name), join(kept, name))
      if (!isForm) this.#core.set(name, kept)
    }
    const builds = readdirSync(this.#coreFiles).map((name) => ({ name, at: statSync(join(this.#coreFiles, name)).mtimeMs }))
    const old = builds.filter(({ name }) => name !== hash).sort((a, b) => b.at - a.at)
    for (const { name } of old.slice(KEPT_BUILDS - 1)) rmSync(join(this.#coreFiles, name), { recursive: true, force: true })
  }

  /** @throws when a file that the manifest names is not there */
  readPlugin({ manifest, folder, generation, files: digest }: DiscoveredPlugin): void {
    // The kernel's own calls look like a plugin and have no folder.
    if (folder === '') return
    const generations = this.#plugins.get(manifest.slug) ?? new Map<string, Generation>()
    this.#plugins.set(manifest.slug, generations)
    const known = generations.get(generation)
    if (known) {
      generations.delete(generation)
      generations.set(generation, known)
      return
    }
    const entries = readdirSync(folder, { withFileTypes: true })
    const names = new Set(entries.filter((entry) => entry.isFile() && isPublic(entry.name)).map(({ name }) => name))
    const { web } = manifest.build
    if (web) {
      const named = [web.entry, ...Object.values(web.modules).flatMap(({ js, css }) => [...js, ...css])]
      const missing = named.find((name) => !names.has(name))
      if (missing !== undefined) throw new PluginRejected(manifest.slug, `The file ${missing} is named in plugin.json and is not there`)
    }
    const build = { slug: manifest.slug, generation, folder, web, styles: manifest.contributes.styles ?? [] }
    generations.set(generation, { build, names, facts: web ? webText(web, digest) : undefined })
    for (const old of generations.keys()) {
      if (generations.size <= KEPT_GENERATIONS) break
      generations.delete(old)
    }
  }

  /** A generation that is served, by slug and the begin of its name. */
  find(slug: string, prefix: string): WebBuild | undefined {
    for (const [generation, { build }] of this.#plugins.get(slug) ?? []) if (generation.startsWith(prefix)) return build
    return undefined
  }

  /** Answers `/static/…`; false for anything that is not known by exactly this address. */
  async handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
    const found = this.#find(path)
    if (!found) return false
    if ('folder' in found) return await this.#send(req, res, { ...found, headers })
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    await send(req, res, 200, found.type, found.text)
    return true
  }

  #find(path: string): Found | undefined {
    const [folder, ...rest] = path.slice('/static/'.length).split('/')
    const [first = '', generation = '', name = ''] = rest
    if (folder === 'core' && rest.length === 1) {
      const kept = this.#core.get(first)
      return kept === undefined ? undefined : { folder: kept, name: first, etag: `"${first}"` }
    }
    if (folder === 'js' && rest.length === 3) {
      const files = this.#plugins.get(first)?.get(generation)
      if (files?.names.has(name)) return { folder: files.build.folder, name, etag: `"${generation}"` }
      return name === 'web.json' && files?.facts !== undefined ? { text: files.facts, type: 'application/json; charset=utf-8' } : undefined
    }
    const color = rest.length === 0 ? /^primary-([0-9a-f]{6})\.css$/.exec(folder ?? '')?.[1] : undefined
    return color === undefined ? undefined : { text: `:root{--primary:#${color}}\n`, type: 'text/css; charset=utf-8' }
  }
}

/** A link keeps the bytes when the build takes its own away. Not every file system can link to every other. */
function linkOrCopy(from: string, to: string): void {
  if (existsSync(to)) {
    // A copy that a power cut left half-written is made again.
    if (statSync(to).size === statSync(from).size) return
    rmSync(to)
  }
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
