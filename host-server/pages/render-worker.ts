import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { RenderReply } from '../../core/entry/render-types.ts'
import { integrityOf } from '../../sdk/kernel/integrity.ts'
import { inlineJson } from '../../sdk/pages/inline-json.ts'
import type { InsideReply } from '../http/inside.ts'
import { trimMemoryWithSite } from '../kernel/faults/idle-memory.ts'
import { InFlight } from '../shared/in-flight.ts'
import { ownThread } from '../shared/thread-time.ts'
import type { Ask, DrawnPage, DrawnWith, FromWorker, Question, RenderJob, Told, ToWorker, WorkerPlugin } from './render-messages.ts'

/** What `core/node/core.mjs` exports, see `core/entry/server.tsx`; named here because that file needs a DOM to be checked. */
interface Core {
  shareScope(): Record<string, { version: string; get(): Promise<() => unknown> }>
  createLoader(fetchModule: (slug: string, generation: string, module: string) => Promise<Record<string, unknown>>): unknown
  createTextBook(language: string): object
  renderPage(job: RenderJob, io: unknown): Promise<RenderReply>
}
interface Container {
  init(scope: unknown): unknown
  get(expose: string): Promise<() => Record<string, unknown>>
}

/** A page that has not come by then waits for something slow, and holds up no other. */
const ROOM_MS = 50

/** One that is asked for, and how far it has come. */
interface Page extends Extract<ToWorker, { kind: 'render' }> {
  /** What it has asked for and not been told. */
  asked: number
  /** Runs while it holds up the next one. */
  room: NodeJS.Timeout | undefined
  isOver: boolean
}

const port = parentPort as NonNullable<typeof parentPort>
const core = (await import(/* webpackIgnore: true */ pathToFileURL((workerData as { core: string }).core).href)) as Core
const offers = core.shareScope()
const say = (message: FromWorker, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved)
say({ kind: 'open', thread: ownThread() })

/** Containers by slug and generation; modules stay for the life of the worker. */
const containers = new Map<string, Promise<Container>>()
const folders = new Map<string, WorkerPlugin>()

function container(plugin: WorkerPlugin): Promise<Container> {
  const key = `${plugin.slug}@${plugin.generation}`
  let promise = containers.get(key)
  if (!promise) {
    promise = opened(plugin)
    promise.catch(() => containers.delete(key))
    containers.set(key, promise)
  }
  return promise
}

/** @throws when a file is not the one that the site looked at */
async function opened({ slug, folder, entry, integrity }: WorkerPlugin): Promise<Container> {
  for (const [file, digest] of Object.entries(integrity)) {
    if (integrityOf(await readFile(join(folder, file))) !== digest) throw new Error(`${file} of ${slug} is not the file that was built`)
  }
  const loaded = (await import(/* webpackIgnore: true */ pathToFileURL(join(folder, entry)).href)) as Container
  await loaded.init(scope)
  return loaded
}

/** The share scope as containers expect it: key → version → offer. */
const scope = Object.fromEntries(
  Object.entries(offers).map(([key, { version, get }]) => [key, { [version]: { from: 'stoa', eager: false, get } }]),
)

const loader = core.createLoader(async (slug, generation, module) => {
  const plugin = folders.get(`${slug}@${generation}`)
  const expose = plugin?.modules[module]?.expose
  if (!plugin || expose === undefined) throw new Error(`${slug} has no module ${module}`)
  const factory = await (await container(plugin)).get(expose)
  return factory()
})

const encoder = new TextEncoder()
const utf8 = new TextDecoder()

/** Whoever waits for something from the main thread, and for which page. */
interface Waiting {
  page: Page | undefined
  resolve(value: unknown): void
  reject(error: Error): void
}
const waiting = new InFlight<Waiting>()

let asks: Ask[] = []

function ask<T>(about: Question, page?: Page): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const id = waiting.add({ page, resolve: resolve as (value: unknown) => void, reject })
    if (asks.length === 0) setImmediate(sendAsks)
    asks.push({ id, ...about })
    if (!page) return
    page.asked++
    makeRoom(page)
  })
}

function hear({ id, value, error }: Told): void {
  const entry = waiting.end(id)
  if (!entry) return
  const { page, resolve, reject } = entry
  if (page && --page.asked === 0 && !page.isOver) goOn(page)
  if (error === undefined) resolve(value)
  else reject(new Error(error))
}

function sendAsks(): void {
  say({ kind: 'ask', asks })
  asks = []
}

/** Maps and sites of the latest pages: one of each for a language. */
const parts = new LRUCache<number, object>({ max: 40 })

async function partOf<T extends object>(page: Page, part: number): Promise<T> {
  const found = parts.get(part) ?? (await ask<object | undefined>({ what: 'part', job: page.id, part }, page))
  if (!found) throw new Error('The page is given up')
  parts.set(part, found)
  return found as T
}

async function whole(page: Page): Promise<RenderJob> {
  const { job } = page
  const { map, site } = job.state
  return { ...job, state: { ...job.state, map: await partOf<RenderJob['state']['map']>(page, map), site: await partOf(page, site) } }
}

/** By language and the tag of the map: what they hold changes with it. */
const books = new LRUCache<string, object>({ max: 6 })

function bookOf({ tag, language }: RenderJob['state']['map']): object {
  const key = `${language}/${tag}`
  const book = books.get(key) ?? core.createTextBook(language)
  books.set(key, book)
  return book
}

/** @param calls gets the address of each call */
function ioOf(page: Page, map: RenderJob['state']['map'], calls: Set<string>) {
  const { given } = page
  const replies = new Map(given?.urls.map((url, index) => [url, index]))
  const opened = new Map<string, { status: number; envelope: unknown }>()

  /** What is there already. */
  function known(url: string) {
    calls.add(url)
    const index = replies.get(url)
    if (!given || index === undefined) return undefined
    const body = given.bytes.subarray(given.ends[index - 1] ?? 0, given.ends[index])
    const reply = opened.get(url) ?? { status: given.statuses[index] as number, envelope: parse(body) }
    opened.set(url, reply)
    return reply
  }

  return {
    loader,
    texts: bookOf(map),
    fetchTexts: (namespace: string, language: string) => ask({ what: 'texts', namespace, language }),
    known,
    onLate(ids: string[]) {
      const modules = ids.map((id) => {
        const [slug = '', ...rest] = id.split('/')
        return { slug, generation: map.plugins.find(([one]) => one === slug)?.[1] ?? '', module: rest.join('/') }
      })
      say({ kind: 'late', modules })
    },
    async transport({ method, url }: { method: string; url: string }) {
      if (method !== 'GET') throw new Error('Pages only read while they are rendered on the server')
      const there = known(url)
      if (there) return there
      const { status, body } = await ask<InsideReply>({ what: 'call', job: page.id, url }, page)
      return { status, envelope: parse(body) }
    },
  }
}

function parse(body: Uint8Array) {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return null
  }
}

function remember(plugins: WorkerPlugin[]): void {
  for (const plugin of plugins) folders.set(`${plugin.slug}@${plugin.generation}`, plugin)
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Pages that have not begun, in the order of asking. */
const pages: Page[] = []
/** Pages that hold up the next one. */
let running = 0

/**
 * One page after another, as each piece of one waits for what the thread does of others: begun all at once, those with many pieces wait longest (measured
 * with 8 connections: p99 178 ms at a median of 28). While one waits for a reply the next is begun: with two at once both waited for a sixth of the time,
 * and others behind them (measured).
 */
function drawNext(): void {
  const page = running === 0 ? pages.shift() : undefined
  if (!page) return
  goOn(page)
  void draw(page).finally(() => {
    page.isOver = true
    makeRoom(page)
  })
}

function goOn(page: Page): void {
  if (page.room) return
  running++
  page.room = setTimeout(makeRoom, ROOM_MS, page)
}

function makeRoom(page: Page): void {
  if (!page.room) return
  clearTimeout(page.room)
  page.room = undefined
  running--
  // What others have been told meanwhile comes first.
  setImmediate(drawNext)
}

async function draw(page: Page): Promise<void> {
  const { id } = page
  try {
    const job = await whole(page)
    const calls = new Set<string>()
    const rendered = await core.renderPage(job, ioOf(page, job.state.map, calls))
    const { page: state, replies, html, use, soon, namespaces, groups, route, ...reply } = rendered
    const content = `"page":${inlineJson(state)},"replies":${inlineJson(replies)}`
    const bytes = encoder.encode(html)
    const drawn: DrawnPage = {
      ...reply,
      html: bytes,
      content,
      drawnWith: JSON.stringify({ use, soon, namespaces, route: route?.path } satisfies DrawnWith),
      groups: Object.fromEntries(Object.entries(groups).map(([namespace, names]) => [namespace, names.join(' ')])),
      params: route?.params ?? {},
      calls: [...calls],
    }
    say({ kind: 'rendered', id, reply: drawn }, [bytes.buffer])
  } catch (error) {
    say({ kind: 'failed', id, error: describe(error) })
  }
}

port.on('message', async (message: ToWorker) => {
  if (message.kind === 'told') {
    message.told.forEach(hear)
  } else if (message.kind === 'ping') {
    say({ kind: 'done', id: message.id, warnings: [] })
  } else if (message.kind === 'warm') {
    remember(message.plugins)
    const results = await Promise.allSettled(message.plugins.map(container))
    const warnings = results.flatMap((result, index) =>
      result.status === 'rejected' ? [`${message.plugins[index]?.slug}: ${describe(result.reason)}`] : [],
    )
    say({ kind: 'done', id: message.id, warnings })
  } else {
    remember(message.plugins)
    pages.push({ ...message, asked: 0, room: undefined, isOver: false })
    // Not here and now: all that has been sent is heard before anything else, and more is sent for each page that is done.
    setImmediate(drawNext)
  }
})
trimMemoryWithSite()
// A stray rejection in a plugin's code must not end the worker; the render it belongs to ends by its own time-out.
process.on('unhandledRejection', () => {})
