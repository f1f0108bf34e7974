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
import type { Ask, FromWorker, GivenReplies, Question, RenderJob, SentJob, ToWorker, WorkerPlugin } from './render-messages.ts'

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

const port = parentPort as NonNullable<typeof parentPort>
const core = (await import(pathToFileURL((workerData as { core: string }).core).href)) as Core
const offers = core.shareScope()
const say = (message: FromWorker, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved)

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
  const loaded = (await import(pathToFileURL(join(folder, entry)).href)) as Container
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
const waiting = new InFlight<{ resolve(value: unknown): void; reject(error: Error): void }>()

let asks: Ask[] = []

function ask<T>(about: Question): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const id = waiting.add({ resolve: resolve as (value: unknown) => void, reject })
    if (asks.length === 0) setImmediate(sendAsks)
    asks.push({ id, ...about })
  })
}

function sendAsks(): void {
  say({ kind: 'ask', asks })
  asks = []
}

/** Maps and sites of the latest pages: one of each for a language. */
const parts = new LRUCache<number, object>({ max: 40 })

async function partOf<T extends object>(job: number, part: number): Promise<T> {
  const found = parts.get(part) ?? (await ask<object | undefined>({ what: 'part', job, part }))
  if (!found) throw new Error('The page is given up')
  parts.set(part, found)
  return found as T
}

async function whole(id: number, job: SentJob): Promise<RenderJob> {
  const { map, site } = job.state
  return { ...job, state: { ...job.state, map: await partOf<RenderJob['state']['map']>(id, map), site: await partOf(id, site) } }
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
function ioOf(job: number, map: RenderJob['state']['map'], given: GivenReplies | undefined, calls: Set<string>) {
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
      const { status, body } = await ask<InsideReply>({ what: 'call', job, url })
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

port.on('message', async (message: ToWorker) => {
  if (message.kind === 'told') {
    for (const { id, value, error } of message.told) {
      const entry = waiting.end(id)
      if (error === undefined) entry?.resolve(value)
      else entry?.reject(new Error(error))
    }
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
    try {
      const job = await whole(message.id, message.job)
      const calls = new Set<string>()
      const { page, replies, html, ...reply } = await core.renderPage(job, ioOf(message.id, job.state.map, message.given, calls))
      const content = `"page":${inlineJson(page)},"replies":${inlineJson(replies)}`
      const bytes = encoder.encode(html)
      say({ kind: 'rendered', id: message.id, reply: { ...reply, html: bytes, content, calls: [...calls] } }, [bytes.buffer])
    } catch (error) {
      say({ kind: 'failed', id: message.id, error: describe(error) })
    }
  }
})
trimMemoryWithSite()
// A stray rejection in a plugin's code must not end the worker; the render it belongs to ends by its own time-out.
process.on('unhandledRejection', () => {})
