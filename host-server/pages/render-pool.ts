import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { InsideReply } from '../http/inside.ts'
import { whoRuns } from '../kernel/faults/who-runs.ts'
import { InFlight } from '../shared/in-flight.ts'
import type { PluginSet } from '../shared/types.ts'
import { memoryLimits } from '../shared/worker-memory.ts'
import type { PageCalls } from './page-calls.ts'
import type { Ask, DrawnPage, FromWorker, GivenReplies, RenderJob, Told, ToWorker, WorkerPlugin } from './render-messages.ts'

export const RENDER_TIMEOUT_MS = 5000
const PING_MS = 1000
const START_MS = 20_000
const REST_MS = 60_000
/**
 * Pages that are drawn at the same time. Each piece of a page waits for what the thread does of others: begun all at once, those with many pieces wait
 * longest (measured with 8 connections: p99 178 ms at a median of 28). A second one has the thread while the first waits for a reply.
 */
const AT_ONCE = 2
/** A page that has not come by then waits for something slow, and holds up no other. */
const ROOM_MS = 50
/**
 * A heap without a limit is also collected late (measured: 30 MB). A page takes about 1 MB of the young generation. Twice this room saves a hundredth
 * of what a page costs, and takes 16 MB more (measured under load).
 */
const MEMORY = memoryLimits(8, 256)

export interface RenderPoolOptions {
  coreDir: string
  /** Workers start when a page is asked for, not before a set becomes current: while somebody edits, most sets never render. */
  isDevelopment: boolean
  /** The first worker opens before a page is asked for. */
  isPrepared: boolean
  texts(namespace: string, language: string): Record<string, unknown>
  log(level: 'warn' | 'error', message: string, details?: object): void
  onFault(slug: string, where: string, error: unknown): void
}

/**
 * One render worker, replaced when a plugin comes in another generation (imported modules are never freed) or when it hangs.
 * Switching plugins on and off needs no new worker: each job says what is on.
 */
export class RenderPool {
  readonly #options: RenderPoolOptions
  #current: Member | undefined
  #next: Member | undefined
  /** The first worker, where none was prepared. */
  #opening: Promise<void> | undefined
  /** By slug and generation: until when a plugin's part of pages is left to browsers, in milliseconds. */
  readonly #resting = new Map<string, number>()

  constructor(options: RenderPoolOptions) {
    this.#options = options
  }

  /** Has the code of a set imported before the set becomes current. */
  async prepare(set: PluginSet): Promise<void> {
    if (this.#options.isDevelopment || this.#isUnasked()) return
    const plugins = workerPlugins(set)
    const member = this.#current?.fits(plugins) ? this.#current : new Member(this.#options)
    if (member !== this.#current) {
      void this.#next?.retire()
      this.#next = member
    }
    await member.warm(plugins)
  }

  /** The prepared worker takes over; the old one ends when its renders are done. */
  commit(set: PluginSet): void {
    const plugins = workerPlugins(set)
    if (this.#current?.fits(plugins) || this.#isUnasked()) return
    if (this.#options.isDevelopment) return this.renew()
    const member = this.#next?.fits(plugins) ? this.#next : new Member(this.#options)
    this.#next = undefined
    void this.#current?.retire()
    this.#current = member
  }

  /** No worker is wanted before the first page, and none was asked for. */
  #isUnasked(): boolean {
    return !this.#options.isPrepared && !this.#current
  }

  /** The next page is rendered by a fresh worker. */
  renew(): void {
    void this.#current?.retire()
    this.#current = undefined
  }

  /**
   * @param calls answers what the page asks for
   * @param given what it is going to ask for, by address
   * @throws when it takes too long or the frame itself fails; the browser then renders by itself
   */
  async render(set: PluginSet, job: RenderJob, calls: PageCalls, given: ReadonlyMap<string, InsideReply> = new Map()): Promise<DrawnPage> {
    const plugins = workerPlugins(set)
    const member = this.#ready(plugins)
    // A page has little time; a worker that opens with it has more.
    if (!this.#options.isPrepared) {
      this.#opening ??= member.warm(plugins).catch(() => {})
      await this.#opening
    }
    try {
      return await member.render({ ...job, leaveOut: this.#leftOut(plugins) }, plugins, calls, given)
    } catch (error) {
      if (member.isGone || (error instanceof Late && !(await member.isAlive()))) {
        const found = await member.whoRuns(plugins)
        const plugin = plugins.find(({ slug }) => slug === found?.slug)
        if (found && plugin) {
          this.#resting.set(restKey(plugin), Date.now() + REST_MS)
          this.#options.onFault(found.slug, `loop in ${found.where} at ${job.url}`, error)
        }
        if (this.#current === member) this.#current = new Member(this.#options)
        void member.end()
      }
      throw error
    }
  }

  /** The worker that renders now; at the start of the site that is the one which was prepared. */
  #ready(plugins: WorkerPlugin[]): Member {
    if (this.#current && !this.#current.isGone) return this.#current
    const isPrepared = this.#next?.fits(plugins)
    const member = (isPrepared && this.#next) || new Member(this.#options)
    if (isPrepared) this.#next = undefined
    this.#current = member
    return member
  }

  /** Contributions of plugins that held up a worker lately: browsers draw them. */
  #leftOut(plugins: WorkerPlugin[]): string[] {
    for (const [key, until] of this.#resting) if (until < Date.now()) this.#resting.delete(key)
    if (this.#resting.size === 0) return []
    return plugins.flatMap((plugin) =>
      this.#resting.has(restKey(plugin)) ? Object.keys(plugin.modules).map((module) => `${plugin.slug}/${module}`) : [],
    )
  }

  /** Pages that are being rendered or wait for it. */
  get waiting(): number {
    return this.#current?.waiting ?? 0
  }

  async close(): Promise<void> {
    await Promise.all([this.#current?.end(), this.#next?.end()])
  }
}

const restKey = ({ slug, generation }: WorkerPlugin): string => `${slug}@${generation}`

class Late extends Error {}

/** What a page is made with that has a name to render workers, see `SentJob`. */
const names = new WeakMap<object, number>()
let lastName = 0

function nameOf(part: object): number {
  const name = names.get(part) ?? ++lastName
  names.set(part, name)
  return name
}

/** In one piece, which is handed over instead of copied. */
function together(replies: ReadonlyMap<string, InsideReply>): GivenReplies | undefined {
  if (replies.size === 0) return undefined
  const all = [...replies.values()]
  const bytes = new Uint8Array(all.reduce((sum, { body }) => sum + body.length, 0))
  let end = 0
  const ends = all.map(({ body }) => {
    bytes.set(body, end)
    end += body.length
    return end
  })
  return { urls: [...replies.keys()], statuses: all.map(({ status }) => status), bytes, ends }
}

/** A page that is being rendered. */
interface Page {
  calls: PageCalls
  parts: Map<number, object>
}

interface Waiting {
  page: Page | undefined
  resolve(message: FromWorker): void
  reject(error: Error): void
}

class Member {
  readonly #worker: Worker
  readonly #options: RenderPoolOptions
  readonly #waiting = new InFlight<Waiting>()
  readonly #generations = new Map<string, string>()
  /** The list the worker heard last. */
  #told: WorkerPlugin[] | undefined
  #telling: Told[] = []
  #idle: (() => void)[] = []
  #drawing = 0
  readonly #queue: (() => void)[] = []
  isGone = false

  constructor(options: RenderPoolOptions) {
    this.#options = options
    this.#worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      workerData: { core: join(options.coreDir, 'node/core.mjs') },
      env: { NODE_ENV: 'production', ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }) },
      resourceLimits: MEMORY,
    })
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', (error) => this.#options.log('error', 'A render worker ended', { error: String(error) }))
    this.#worker.on('exit', () => {
      this.isGone = true
      for (const { value } of this.#waiting.all()) value.reject(new Error('The render worker ended'))
      this.#settleIdle()
    })
    this.#worker.unref()
  }

  get waiting(): number {
    return this.#waiting.size + this.#queue.length
  }

  fits(plugins: WorkerPlugin[]): boolean {
    return !this.isGone && plugins.every(({ slug, generation }) => (this.#generations.get(slug) ?? generation) === generation)
  }

  async warm(plugins: WorkerPlugin[]): Promise<void> {
    this.#remember(plugins)
    const message = await this.#send({ kind: 'warm', id: 0, plugins }, START_MS)
    if (message.kind === 'done')
      for (const warning of message.warnings) this.#options.log('warn', 'Pages of a plugin cannot be rendered on the server', { warning })
  }

  async render(job: RenderJob, plugins: WorkerPlugin[], calls: PageCalls, replies: ReadonlyMap<string, InsideReply>): Promise<DrawnPage> {
    const { map, site } = job.state
    const sent = { ...job, state: { ...job.state, map: nameOf(map), site: nameOf(site) } }
    const page = { calls, parts: new Map([map, site].map((part) => [nameOf(part), part])) }
    const given = together(replies)
    const release = await this.#turn()
    const told = this.#told === plugins
    this.#remember(plugins)
    const sending = this.#send({ kind: 'render', id: 0, job: sent, given, plugins: told ? [] : plugins }, RENDER_TIMEOUT_MS, page)
    const message = await sending.finally(release)
    if (message.kind === 'rendered') return message.reply
    throw new Error(message.kind === 'failed' ? message.error : 'Unexpected message of a render worker')
  }

  /** Waits until a page may begin, in the order of asking. @returns says that it has come; is said by itself after a while */
  async #turn(): Promise<() => void> {
    if (this.#drawing >= AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve))
    else this.#drawing++
    let isOver = false
    const release = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      const next = this.#queue.shift()
      if (next) next()
      else this.#drawing--
    }
    const timer = setTimeout(release, ROOM_MS)
    return release
  }

  async isAlive(): Promise<boolean> {
    return this.#send({ kind: 'ping', id: 0 }, PING_MS).then(
      () => true,
      () => false,
    )
  }

  /** Files of plugins lie in their folders. */
  async whoRuns(plugins: WorkerPlugin[]): Promise<{ slug: string; where: string } | undefined> {
    if (this.isGone) return undefined
    const folders = plugins.map(({ slug, folder }) => [slug, pathToFileURL(folder).href] as const)
    return await whoRuns(this.#worker, (url) => folders.find(([, folder]) => url.startsWith(`${folder}/`))?.[0])
  }

  async retire(): Promise<void> {
    if (this.waiting > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    await this.end()
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #remember(plugins: WorkerPlugin[]): void {
    this.#told = plugins
    for (const { slug, generation } of plugins) this.#generations.set(slug, generation)
  }

  #send(message: ToWorker, timeoutMs: number, page?: Page): Promise<FromWorker> {
    if (this.isGone) return Promise.reject(new Error('The render worker ended'))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new Late(`No answer within ${timeoutMs} ms`))), timeoutMs)
      const settle = (then: () => void) => {
        clearTimeout(timer)
        this.#waiting.end(id)
        this.#settleIdle()
        then()
      }
      const id = this.#waiting.add({
        page,
        resolve: (reply: FromWorker) => settle(() => resolve(reply)),
        reject: (error: Error) => settle(() => reject(error)),
      })
      this.#worker.postMessage({ ...message, id }, message.kind === 'render' && message.given ? [message.given.bytes.buffer] : [])
    })
  }

  #settleIdle(): void {
    if (this.waiting === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #receive(message: FromWorker): void {
    if (message.kind !== 'ask') {
      this.#waiting.get(message.id)?.resolve(message)
      return
    }
    for (const ask of message.asks) this.#answer(ask)
  }

  #answer(ask: Ask): void {
    const { id } = ask
    if (ask.what === 'texts') return this.#tell({ id, value: this.#options.texts(ask.namespace, ask.language) })
    const page = this.#waiting.get(ask.job)?.page
    if (ask.what === 'part') return this.#tell({ id, value: page?.parts.get(ask.part) })
    page?.calls.call(ask.url).then(
      // A part of a larger buffer would be sent as the whole.
      ({ status, body }) => this.#tell({ id, value: { status, body: new Uint8Array(body) } }),
      (error: unknown) => this.#tell({ id, value: null, error: String(error) }),
    )
  }

  /** With all else that is told in this turn. */
  #tell(told: Told): void {
    if (this.#telling.length === 0)
      setImmediate(() => {
        this.#worker.postMessage({ kind: 'told', told: this.#telling } satisfies ToWorker)
        this.#telling = []
      })
    this.#telling.push(told)
  }
}

const lists = new WeakMap<PluginSet, WorkerPlugin[]>()

function workerPlugins(set: PluginSet): WorkerPlugin[] {
  let list = lists.get(set)
  if (!list) {
    list = set.plugins.flatMap(({ manifest, generation, folder }) => {
      const { web } = manifest.build
      if (!web) return []
      const modules = Object.fromEntries(Object.entries(web.modules).map(([module, { expose }]) => [module, { expose }]))
      return [{ slug: manifest.slug, generation, folder, entry: web.entry, modules, integrity: web.integrity }]
    })
    lists.set(set, list)
  }
  return list
}
