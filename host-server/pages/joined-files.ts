import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Turns } from '@stoa/sdk/server'
import { createTurns } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'
import type { CoreManifest } from '../../core/build.ts'
import { integrityOf } from '../../sdk/kernel/integrity.ts'
import type { ModuleRef, WebFacts } from '../../sdk/pages/page-state.ts'
import { CORE_FILES, filesOf, sheetName } from '../../sdk/pages/page-state.ts'
import { goneSignal } from '../shared/gone.ts'
import { immutable } from '../shared/send-file.ts'
import type { PluginSet } from '../shared/types.ts'
import { compress, encodingFor, vary } from './compress.ts'
import { factsFor } from './facts-for.ts'
import { joinableChunk, joinableEntry, joinableSheet } from './joinable.ts'

/** What one generation of a plugin has for pages. */
export interface WebBuild {
  slug: string
  generation: string
  folder: string
  web: WebFacts | null
  /** Sheets of the plugin itself. */
  styles: readonly string[]
}

/** What a document names in place of the files in it. */
export interface JoinedFile {
  address: string
  integrity: string
}

/** The scripts of a page in one file, and its styles in one. */
export interface Joined {
  js?: JoinedFile
  css?: JoinedFile
  /** Names of the sheets in `css`, see `sheetName`, in its order: one rule each. */
  sheets: string[]
  /** Addresses of the scripts and sheets that are in either. */
  members: ReadonlySet<string>
}

interface Body {
  plain: Buffer
  encoded: Partial<Record<'br' | 'gzip', Promise<Buffer>>>
}

interface Made extends Joined {
  bodies: Map<string, Body>
  size: number
}

/** What goes into the files of a page: places of kit components in the manifest of core, and of each plugin. */
interface Part {
  build: WebBuild
  /** Places in `build.web.modules`. */
  modules: number[]
  hasStyles: boolean
}
interface Recipe {
  ui: number[]
  parts: Part[]
}

export const JOINED_FOLDER = '/static/joined/'
/** Plain, with what they compress to. */
const MAX_BYTES = 12 * 1024 * 1024
/** Brotli, of files that are kept: one below the best, which takes twice as long for the last percent, while somebody waits for the page. */
const KEPT_QUALITY = 10
/** Addresses stay far below what servers and proxies take. */
const LONGEST_ADDRESS = 4000
/** Of each entry, beside its bytes: names of its members. */
const OVERHEAD = 2000
/** Kept in a short form for each set: what pages that differ in a part or two are made of. */
const MOST_RECIPES = 200
/** Requests for files that have to be made, of all together. */
const MOST_WAITING = 10_000
/** Of a generation's name, in an address that a digest of the content stands in as well. */
const PREFIX = 8
const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export interface JoinedOptions {
  core: CoreManifest
  /** Folder of the files of core. */
  coreFolder(): string
  /** A build by slug and the begin of its generation, as long as its files are served. */
  find(slug: string, prefix: string): WebBuild | undefined
  /** Whose request it is, for taking turns. */
  whoAsks(req: IncomingMessage): string
  /** Files of one person or network that may wait to be made. */
  waitingOfOne: number
}

/**
 * Joins the files that a page is drawn with, so that the number of requests does not grow with plugins. The address holds a digest of the
 * content, and says what it is made of: each node that serves these plugins can make it, also of a document that another one wrote. Kept is
 * only what documents were written with; what another address stands for is made in turns by who asks, and nothing stays of it.
 */
export class JoinedFiles {
  readonly #options: JoinedOptions
  readonly #kept = new LRUCache<string, Made>({ maxSize: MAX_BYTES, sizeCalculation: ({ size }) => size })
  readonly #making = new Map<string, Promise<Made>>()
  /** Of files that no document of this node was written with. */
  readonly #turns: Turns
  readonly #recipes = new WeakMap<PluginSet, LRUCache<string, { recipe: Recipe; key: string }>>()
  /** Joinable text by file; undefined of a file that stays alone. */
  readonly #texts = new WeakMap<object, Map<string, Promise<string | undefined>>>()

  constructor(options: JoinedOptions) {
    this.#options = options
    this.#turns = createTurns({ most: MOST_WAITING, mostOfOne: options.waitingOfOne })
  }

  /** The files of a page. @param ui names of kit components */
  async of(set: PluginSet, use: readonly ModuleRef[], ui: readonly string[]): Promise<Joined> {
    const { recipe, key } = this.#named(set, use, ui)
    const kept = this.#kept.get(key)
    if (kept) return kept
    const making = this.#making.get(key)
    if (making) return making
    const promise = this.#make(recipe)
      .then((made) => {
        this.#kept.set(key, made)
        return made
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, promise)
    return promise
  }

  /** Answers `/static/joined/<digest>/<what of>.js` and `.css`; false for what is not made of what is served now. */
  async handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
    const [, name, ending] = /^[\w-]{22}\/([a-z0-9.~-]{1,4000})\.(js|css)$/.exec(path.slice(JOINED_FOLDER.length)) ?? []
    const recipe = name === undefined ? undefined : this.#readName(name)
    if (!recipe || ending === undefined) return false
    const kept = this.#kept.get(nameOf(recipe))
    const made = kept?.bodies.has(path) ? kept : await this.#makeInTurn(recipe, req, res)
    const body = made.bodies.get(path)
    if (!body) return false
    const encoding = encodingFor(req)
    const bytes = encoding ? await this.#encoded(body, encoding, made === kept ? KEPT_QUALITY : 4) : body.plain
    vary(res, 'Accept-Encoding')
    if (encoding) res.setHeader('Content-Encoding', encoding)
    for (const [header, value] of Object.entries(immutable)) res.setHeader(header, value)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    res.writeHead(200, { 'Content-Type': types[ending], 'Content-Length': bytes.length })
    res.end(req.method === 'HEAD' ? undefined : bytes)
    return true
  }

  /** For who leaves it is not made. @throws `base.busy` */
  async #makeInTurn(recipe: Recipe, req: IncomingMessage, res: ServerResponse): Promise<Made> {
    return await this.#turns.take(() => this.#make(recipe), { of: this.#options.whoAsks(req), signal: goneSignal(res) })
  }

  #encoded(body: Body, encoding: 'br' | 'gzip', level: number): Promise<Buffer> {
    body.encoded[encoding] ??= compress(body.plain, encoding, level)
    return body.encoded[encoding]
  }

  /** Most pages use what one before used. */
  #named(set: PluginSet, use: readonly ModuleRef[], ui: readonly string[]): { recipe: Recipe; key: string } {
    const known = this.#recipes.get(set) ?? new LRUCache<string, { recipe: Recipe; key: string }>({ max: MOST_RECIPES })
    this.#recipes.set(set, known)
    const asked = `${use.map(([slug, module]) => `${slug}/${module}`).join(' ')} ${ui.join(' ')}`
    const found = known.get(asked)
    if (found) return found
    const recipe = this.#recipeOf(set, use, ui)
    const named = { recipe, key: nameOf(recipe) }
    known.set(asked, named)
    return named
  }

  /** In the order of the set, whatever the page asked for first: pages that use the same share their files. */
  #recipeOf(set: PluginSet, use: readonly ModuleRef[], ui: readonly string[]): Recipe {
    return {
      ui: Object.entries(this.#options.core.ui).flatMap(([name, { js, css }], place) =>
        ui.includes(name) && js.length + css.length > 0 ? [place] : [],
      ),
      parts: set.plugins
        .filter(({ folder }) => folder !== '')
        .map(({ manifest, generation, folder }) => {
          const { slug, build, contributes } = manifest
          const wanted = new Set(use.filter(([owner]) => owner === slug).map(([, module]) => module))
          const modules = Object.keys(build.web?.modules ?? {}).flatMap((module, place) => (wanted.has(module) ? [place] : []))
          const styles = contributes.styles ?? []
          return { build: { slug, generation, folder, web: build.web, styles }, modules, hasStyles: styles.length > 0 }
        })
        .filter(({ modules, hasStyles }) => modules.length > 0 || hasStyles),
    }
  }

  /** @returns undefined when it names what is not served, or something twice: the address would be short and the file long */
  #readName(name: string): Recipe | undefined {
    const [ui = '', ...rows] = name.split('~')
    if (new Set(rows.map((row) => row.split('.')[0])).size < rows.length) return undefined
    const parts = rows.map((row): Part | undefined => {
      const [slug = '', prefix = '', places = '', styles] = row.split('.')
      const build = prefix.length === PREFIX ? this.#options.find(slug, prefix) : undefined
      return build && { build, modules: numbers(places), hasStyles: styles !== undefined }
    })
    return parts.includes(undefined) ? undefined : { ui: numbers(ui), parts: parts as Part[] }
  }

  async #make(recipe: Recipe): Promise<Made> {
    const { core } = this.#options
    const folder = this.#options.coreFolder()
    const kit = recipe.ui.flatMap((place) => Object.values(core.ui)[place] ?? [])
    const coreText = (file: string, form: (text: string) => string | undefined) =>
      this.#text(core, folder, file, core.integrity[file], form)
    const sheets: [address: string, text: string][] = []
    const scripts: [folder: string, text: string][] = []
    const members = new Set<string>()
    const addSheet = (address: string, text: string | undefined) => {
      if (text === undefined || members.has(address)) return
      members.add(address)
      sheets.push([address, text])
    }

    for (const file of kit.flatMap(({ css }) => css)) addSheet(CORE_FILES + file, await coreText(file, joinableSheet))
    const own = await this.#files(
      CORE_FILES,
      kit.flatMap(({ js }) => js),
      (file) => coreText(file, joinableChunk),
      members,
    )
    if (own) scripts.push([CORE_FILES, `{files:{${own}}}`])

    for (const { build, hasStyles } of recipe.parts)
      for (const file of hasStyles ? build.styles : [])
        addSheet(filesOf(build.slug, build.generation) + file, await this.#textOf(build, file, joinableSheet))

    for (const { build, modules } of recipe.parts) {
      const { web } = build
      if (!web || modules.length === 0) continue
      const at = filesOf(build.slug, build.generation)
      const facts = factsFor(
        web,
        modules.flatMap((place) => Object.keys(web.modules)[place] ?? []),
      )
      const chosen = Object.values(facts.modules)
      // All or none, so that their order stays.
      const css = [...new Set(chosen.flatMap((module) => module.css))]
      const texts = await Promise.all(css.map((file) => this.#textOf(build, file, joinableSheet)))
      if (!texts.includes(undefined)) for (const [index, file] of css.entries()) addSheet(at + file, texts[index])
      const entry = await this.#textOf(build, facts.entry, joinableEntry)
      if (entry === undefined) continue
      const js = chosen.flatMap((module) => module.js)
      members.add(at + facts.entry)
      const chunks = await this.#files(at, js, (file) => this.#textOf(build, file, joinableChunk), members)
      const alone = Object.entries(facts.integrity).filter(([file]) => !members.has(at + file))
      const told = JSON.stringify({ ...facts, integrity: Object.fromEntries(alone) })
      scripts.push([at, `{facts:${told},files:{${JSON.stringify(facts.entry)}:${entry}\n${chunks && `,${chunks}`}}}`])
    }

    const name = nameOf(recipe)
    const bodies = new Map<string, Body>()
    const file = (ending: string, texts: string[]): JoinedFile | undefined => {
      const plain = Buffer.from(texts.join(''))
      const address = `${JOINED_FOLDER}${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}/${name}.${ending}`
      bodies.set(address, { plain, encoded: {} })
      return { address, integrity: integrityOf(plain) }
    }
    if (name.length > LONGEST_ADDRESS) return { sheets: [], members: new Set(), bodies, size: OVERHEAD }
    const js = scripts.length > 0 ? file('js', ['export default{', ...withLines(scripts), '}']) : undefined
    const css =
      sheets.length > 0
        ? file(
            'css',
            sheets.map(([, text]) => text),
          )
        : undefined
    const size = [...bodies.values()].reduce((sum, { plain }) => sum + plain.length * 2, OVERHEAD)
    return { ...(js && { js }), ...(css && { css }), sheets: sheets.map(([address]) => sheetName(address)), members, bodies, size }
  }

  /** Members of an object, by file name. Notes what is in it. */
  async #files(at: string, names: string[], read: (file: string) => Promise<string | undefined>, members: Set<string>): Promise<string> {
    const rows = await Promise.all([...new Set(names)].map(async (file) => [file, await read(file)] as const))
    return rows
      .flatMap(([file, text]) => {
        if (text === undefined) return []
        members.add(at + file)
        return `${JSON.stringify(file)}:${text}\n`
      })
      .join(',')
  }

  #textOf(build: WebBuild, file: string, form: (text: string) => string | undefined): Promise<string | undefined> {
    return this.#text(build.web ?? build.styles, build.folder, file, build.web?.integrity[file], form)
  }

  /** What is not the file that was built stays alone, and the browser refuses it. */
  #text(
    owner: object,
    folder: string,
    file: string,
    integrity: string | undefined,
    form: (text: string) => string | undefined,
  ): Promise<string | undefined> {
    const texts = this.#texts.get(owner) ?? new Map<string, Promise<string | undefined>>()
    this.#texts.set(owner, texts)
    let promise = texts.get(file)
    if (!promise) {
      promise = readFile(join(folder, file)).then(
        (bytes) => {
          const isBuilt = integrity === undefined || integrity === integrityOf(bytes)
          return isBuilt ? form(bytes.toString('utf8')) : undefined
        },
        () => {
          // It may be readable the next time.
          texts.delete(file)
          return undefined
        },
      )
      texts.set(file, promise)
    }
    return promise
  }
}

/** Members of the joined object. Each begins on a line of its own and names it: so a place in a stack tells whose code it is. */
function withLines(scripts: readonly [folder: string, text: string][]): string[] {
  let line = 1
  return scripts.map(([at, text]) => {
    const member = `${JSON.stringify(at)}:{line:${line},${text.slice(1)},\n`
    line += member.split('\n').length - 1
    return member
  })
}

const numbers = (places: string): number[] => (places === '' ? [] : places.split('-').map(Number))

/** As it stands in addresses: places of kit components, then a row for each plugin. */
function nameOf({ ui, parts }: Recipe): string {
  const rows = parts.map(({ build, modules, hasStyles }) =>
    [build.slug, build.generation.slice(0, PREFIX), modules.join('-'), ...(hasStyles ? ['s'] : [])].join('.'),
  )
  return [ui.join('-'), ...rows].join('~')
}
