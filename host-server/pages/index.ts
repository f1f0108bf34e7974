import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { CoreManifest } from '../../core/build.ts'
import type { PageMap, PageStart, SentForm } from '../../sdk/pages/page-state.ts'
import { START_NAMESPACE, startAddress } from '../../sdk/pages/page-state.ts'
import { isReserved } from '../../sdk/pages/reserved-paths.ts'
import { isServedAnyway } from '../calls/access.ts'
import { keptCopy } from '../shared/kept-copy.ts'
import { immutable } from '../shared/send-file.ts'
import { threadFile } from '../shared/thread-file.ts'
import type { PluginSet } from '../shared/types.ts'
import { sendObject } from './compress.ts'
import { createDocuments } from './documents.ts'
import { EventStream } from './event-stream.ts'
import { JOINED_FOLDER, JoinedFiles } from './joined-files.ts'
import { PageCache } from './page-cache.ts'
import { SharedReplies } from './page-calls.ts'
import { makePageMap, tagOf } from './page-map.ts'
import { createPageTexts } from './page-texts.ts'
import type { PagesOptions } from './pages-options.ts'
import { RenderPool } from './render-pool.ts'
import { StaticFiles } from './static-files.ts'

/** Of one browser. */
const MOST_HEARD = 20
const LONGEST_KEY = 200
/** Of the sets that were on lately, in each language. */
const MOST_STARTS = 24

export interface Pages {
  /** Answers documents, `/static/**`, `/stoa/**`; false when the request is none of its business (calls, uploads). */
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>
  /** Answers a form with the page it stands on, as `sent` says that it was refused. */
  refuse(req: IncomingMessage, res: ServerResponse, status: number, sent: SentForm): Promise<boolean>
  /** Reads the files of a set that only some see; their pages are rendered in the browser. */
  admit(set: PluginSet): void
  /** Reads a set's files and warms a render worker before the set becomes current. A rejection refuses the switch. */
  prepare(set: PluginSet): Promise<void>
  /** Says something to open pages that listen, as those of `npm run dev` do. */
  say(about: object): void
  /** Core was built anew in its folder. Open pages load a fresh document at their next navigation. */
  renewCore(): void
  /** Drops finished documents; the next visitor gets a fresh one. */
  forget(): void
  /** Pages that are being rendered or wait for it. */
  rendering(): number
  close(): Promise<void>
}

/** Everything a browser gets that is no call: documents, files, the map of what is on and the stream of its changes. */
export async function createPages(options: PagesOptions): Promise<Pages> {
  const readManifest = () => JSON.parse(readFileSync(join(options.coreDir, 'web/manifest.json'), 'utf8')) as CoreManifest
  const core = readManifest()
  const files = await StaticFiles.open(options.coreFiles)
  files.readCore(join(options.coreDir, 'web'), core.hash)
  const events = new EventStream()
  const texts = createPageTexts({ coreDir: options.coreDir, siteLanguage: () => options.site.language, texts: options.texts })
  const readNode = () => keptCopy(join(options.coreDir, 'node/core.mjs'), options.coreDir)
  let node = readNode()
  const pool = new RenderPool({
    file: threadFile('render-worker', 'pages/render-worker.ts', options.hostDir),
    core: () => node,
    isDevelopment: options.isDevelopment,
    isPrepared: options.isPrepared,
    pageMs: options.pageMs,
    texts: texts.tree,
    log: options.log,
    onLoop: options.onLoop,
    onFull: options.onFull,
  })

  /** By address: who got a page asks for its start a moment later, when something else may be on. */
  const starts = new LRUCache<string, PageStart>({ max: MOST_STARTS })
  let maps = new WeakMap<PluginSet, Map<string, PageMap>>()
  function mapFor(language: string, set: PluginSet): PageMap {
    const byLanguage = maps.get(set) ?? new Map<string, PageMap>()
    maps.set(set, byLanguage)
    let map = byLanguage.get(language)
    if (!map) {
      map = makePageMap({ set, core, language, languages: options.languages(), text: (slug, key) => texts.text(slug, key, language) })
      byLanguage.set(language, map)
      keepStart(map)
    }
    return map
  }

  function keepStart(map: PageMap): PageStart {
    const start = { map, texts: texts.tree(START_NAMESPACE, map.language) }
    starts.set(startAddress(map.tag, map.language), start)
    return start
  }

  const cache = new PageCache(options.now)
  const replies = new SharedReplies(options.now)
  const forget = () => {
    cache.clear()
    replies.clear()
  }
  // While somebody edits, files come and go one by one.
  const joined = options.isDevelopment
    ? undefined
    : new JoinedFiles({
        core,
        coreFolder: () => join(options.coreFiles, core.hash),
        find: (slug, prefix) => files.find(slug, prefix),
        whoAsks: (req) => options.whoAsks(req, null),
        waitingOfOne: options.waitingOfOne,
      })
  const documents = createDocuments({ options, core, pool, texts, mapFor, cache, replies, joined })
  options.onPush(({ id, topic, payload }) => events.push(`${id} ${topic}`, payload))
  const stopForgetting = options.onFacts(() => {
    forget()
    events.tellFacts()
  })
  const stopListening = options.onSwitch((set) => {
    texts.renew()
    forget()
    for (const plugin of set.plugins) files.readPlugin(plugin)
    pool.commit(set)
    events.tell(tagOf(set, core))
  })

  const isLanguage = (code: string | null): code is string => options.languages().some((language) => language.code === code)

  async function serveKernel(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    const set = options.set(req)
    const tag = tagOf(set, core)
    if (url.pathname === '/stoa/events') return events.handle(req, res, tag, await heardBy(req, set, url.searchParams.getAll('listen')))
    if (url.pathname === '/stoa/map') {
      const wanted = url.searchParams.get('lang')
      res.setHeader('Cache-Control', 'no-cache')
      res.setHeader('ETag', `"${tag}"`)
      if (req.headers['if-none-match'] === `"${tag}"`) return void res.writeHead(304).end()
      return sendObject(req, res, mapFor(isLanguage(wanted) ? wanted : options.site.language, set))
    }
    const [, asked, spoken = ''] = /^\/stoa\/start\/(\w+)\/([A-Za-z_]{2,12})\.json$/.exec(url.pathname) ?? []
    const start = starts.get(url.pathname) ?? (asked === tag && isLanguage(spoken) ? keepStart(mapFor(spoken, set)) : undefined)
    if (start) {
      res.setHeader('Cache-Control', immutable['cache-control'])
      return sendObject(req, res, start)
    }
    const [, of, language, namespace] = /^\/stoa\/texts\/([\w-]+)\/([A-Za-z_]{2,12})\/([\w-]+)\.json$/.exec(url.pathname) ?? []
    if (of !== undefined && isLanguage(language ?? null) && isKnown(set, namespace as string)) {
      res.setHeader('Cache-Control', of === tag ? immutable['cache-control'] : 'no-cache')
      return sendObject(req, res, texts.tree(namespace as string, language as string))
    }
    res.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    res.end('Nothing here')
  }

  /** What a browser wants to hear and may: id and topic, with a space between. */
  async function heardBy(req: IncomingMessage, set: PluginSet, keys: readonly string[]): Promise<string[]> {
    const wanted = [...new Set(keys)].slice(0, MOST_HEARD).filter((key) => key.length <= LONGEST_KEY)
    if (wanted.length === 0) return []
    const person = await options.readCookieSession(req.headers.cookie)
    if (options.site.isPrivate && !person) return []
    if (options.site.closure.degree === 'nobody' && !isServedAnyway(person)) return []
    const allowed = await Promise.all(
      wanted.map((key) => {
        const [id = '', ...topic] = key.split(' ')
        return options.mayListen(set, id, { person, topic: topic.join(' ') })
      }),
    )
    return wanted.filter((_, index) => allowed[index])
  }

  const isKnown = (set: PluginSet, namespace: string): boolean =>
    namespace === 'core' || set.plugins.some(({ manifest }) => manifest.slug === namespace)

  return {
    async handle(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false
      const url = parse(req.url)
      if (!url) return false
      if (joined && url.pathname.startsWith(JOINED_FOLDER)) return await joined.handle(req, res, url.pathname)
      if (url.pathname.startsWith('/static/')) {
        return await files.handle(req, res, url.pathname)
      }
      if (url.pathname.startsWith('/stoa/')) {
        await serveKernel(req, res, url)
        return true
      }
      if (isReserved(url.pathname) || url.pathname === '/favicon.ico' || !wantsHtml(req)) return false
      await documents.serve(req, res, url)
      return true
    },
    async refuse(req, res, status, sent) {
      const url = parse(sent.at)
      if (!url) return false
      const { login } = mapFor(options.site.language, options.set(req)).places
      // Nothing typed is lost on the way.
      if (status === 401 && login !== undefined && Object.keys(sent.values).length === 0) {
        res.writeHead(303, { Location: `${login}?next=${encodeURIComponent(sent.at)}` }).end()
        return true
      }
      await documents.serve(req, res, url, { status, form: sent })
      return true
    },
    admit(set) {
      for (const plugin of set.plugins) files.readPlugin(plugin)
    },
    async prepare(set) {
      for (const plugin of set.plugins) files.readPlugin(plugin)
      await pool.prepare(set)
    },
    say: (about) => events.say(about),
    renewCore() {
      Object.assign(core, readManifest())
      node = readNode()
      files.readCore(join(options.coreDir, 'web'), core.hash)
      maps = new WeakMap()
      texts.renewOwn()
      forget()
      pool.renew()
      events.tell(tagOf(options.set(), core))
    },
    forget,
    rendering: () => pool.waiting + documents.waiting(),
    async close() {
      stopListening()
      stopForgetting()
      events.close()
      await pool.close()
    },
  }
}

function parse(address: string | undefined): URL | null {
  try {
    // Slashes at the front would name a host.
    return new URL(`http://site${(address ?? '/').replace(/^\/{2,}/, '/')}`)
  } catch {
    return null
  }
}

/** Clients that say nothing, or that take anything, get pages too. */
function wantsHtml(req: IncomingMessage): boolean {
  const accept = req.headers.accept
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*')
}
