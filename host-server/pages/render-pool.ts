import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { moduleId } from '../../sdk/pages/page-state.ts'
import type { InsideReply } from '../http/inside.ts'
import type { Found, OwnerOf } from '../kernel/faults/who-runs.ts'
import { whoRuns } from '../kernel/faults/who-runs.ts'
import { withTimeout } from '../kernel/faults/with-timeout.ts'
import { PluginRejected } from '../kernel/plugin-set/plugin-rejected.ts'
import { InFlight } from '../shared/in-flight.ts'
import { isStarved, processorMs } from '../shared/thread-time.ts'
import type { PluginSet } from '../shared/types.ts'
import { isFull, pluginMemoryLimits, WorkerFull, watchMemory } from '../shared/worker-memory.ts'
import type { PageCalls } from './page-calls.ts'
import type { Ask, DrawnPage, DrawnWith, FromWorker, GivenReplies, RenderJob, Told, ToWorker, WorkerPlugin } from './render-messages.ts'

const PING_MS = 1000
/** Of a worker that has had no processor to answer with: it may be the machine, or wait for something in its own code. */
const MOST_PINGS = 3
const START_MS = 20_000
const REST_MS = 60_000
/** Pages in a row that waited for a contribution in vain, after which it is left to browsers. */
const MOST_LATE = 3
/** Pages that wait at the same time may all wait for the machine. */
const LATE_APART_MS = 2000
const LONGEST_REST_MS = 3_600_000
/**
 * A heap without a limit is also collected late (measured: 30 MB). A page takes about 1 MB of the young generation, and hardly anything of it lasts
 * longer: half of this room saves nothing of the whole site's memory, and pages cost a twentieth more (measured under load).
 */
const MEMORY = pluginMemoryLimits(8)

export interface RenderPoolOptions {
  /** The worker's code. */
  file: string | URL
  /** Core's module for this server. */
  core(): string
  /** Workers start when a page is asked for, not before a set becomes current: while somebody edits, most sets never render. */
  isDevelopment: boolean
  /** The first worker opens before a page is asked for. */
  isPrepared: boolean
  /** Milliseconds that a page may take. */
  pageMs: number
  texts(namespace: string, language: string): Record<string, unknown>
  log(level: 'warn' | 'error', message: string, details?: object): void
  onLoop(slug: string, where: string, seconds: number): void
  onFull(slug: string, where: string): void
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
  /** By slug and generation, and module: until when a plugin's part of pages, or one of them, is left to browsers, in milliseconds. */
  readonly #resting = new Map<string, number>()
  /** Pages in a row that waited in vain, by slug, generation and module; and for which of them last, in milliseconds. */
  readonly #late = new LRUCache<string, { times: number; at: number }>({ max: 200 })
  /** Draws what was drawn in workers that ran out of memory, see {@link RenderPool.#track}. */
  #tracker: Member | undefined
  #tracking: Promise<unknown> = Promise.resolve()
  /** Pages that wait for it. */
  #suspects = 0
  #isClosing = false

  constructor(options: RenderPoolOptions) {
    this.#options = options
    // It loads what all pages need while the plugins of the first set start.
    if (options.isPrepared && !options.isDevelopment) this.#current = this.#open()
  }

  /** Has the code of a set imported before the set becomes current. @throws PluginRejected for code that never comes to its end */
  async prepare(set: PluginSet): Promise<void> {
    if (this.#options.isDevelopment || this.#isUnasked()) return
    const plugins = workerPlugins(set)
    const member = this.#current?.fits(plugins) ? this.#current : this.#open()
    if (member !== this.#current) {
      void this.#next?.retire()
      this.#next = member
    }
    try {
      await member.warm(plugins)
    } catch (error) {
      if (!(error instanceof Late) || (await member.isAlive()) || member.isGone) throw error
      const found = await member.whoRuns(plugins)
      if (this.#current === member) this.#current = this.#open()
      void member.end()
      throw found ? new PluginRejected(found.slug, `pages: ${found.where} takes longer than ${START_MS / 1000} s`) : error
    }
  }

  #open(isTracker = false): Member {
    const member = new Member(this.#options, (key) => this.#waited(key))
    // Of the other it is looked first whose code it runs.
    if (!isTracker) void member.full.then(() => member.endFull())
    return member
  }

  /** A page has waited in vain. Each further one makes the rest twice as long, until it is drawn again. */
  #waited(key: string): void {
    const { times, at } = this.#late.get(key) ?? { times: 0, at: 0 }
    const now = Date.now()
    if (now - at < LATE_APART_MS) return
    this.#late.set(key, { times: times + 1, at: now })
    if (times + 1 >= MOST_LATE) this.#resting.set(key, now + Math.min(REST_MS * 2 ** (times + 1 - MOST_LATE), LONGEST_REST_MS))
  }

  /** What it shows has come in time. */
  #drawn({ drawnWith, failed, late }: DrawnPage, plugins: WorkerPlugin[]): void {
    const { use } = JSON.parse(drawnWith) as DrawnWith
    for (const [slug, module] of use) {
      const plugin = plugins.find((one) => one.slug === slug)
      if (plugin && ![...failed, ...late].includes(moduleId(slug, module))) this.#late.delete(restKey(plugin, module))
    }
  }

  /** The prepared worker takes over; the old one ends when its renders are done. */
  commit(set: PluginSet): void {
    const plugins = workerPlugins(set)
    if (this.#current?.fits(plugins) || this.#isUnasked()) return
    if (this.#options.isDevelopment) return this.renew()
    const member = this.#next?.fits(plugins) ? this.#next : this.#open()
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
    const since = Date.now()
    const draw = async (by: Member) => {
      try {
        const page = await by.render({ ...job, leaveOut: this.#leftOut(plugins) }, plugins, calls, given)
        if (this.#late.size > 0) this.#drawn(page, plugins)
        return page
      } catch (error) {
        if (error instanceof Late && !(await by.isAlive()) && !by.isGone) await this.#unstick(by, plugins)
        throw error
      }
    }
    try {
      return await draw(member)
    } catch (error) {
      // Whose doing it was is left out now. Who has waited long enough gets a page that the browser draws.
      if (!(error instanceof Ended) || this.#isClosing || Date.now() - since > this.#options.pageMs) throw error
      return error.isFull ? await this.#track(member, plugins, draw) : await draw(this.#ready(plugins))
    }
  }

  /** Ends a worker that does nothing but one plugin's code, once however many pages wait in it. */
  #unstick(member: Member, plugins: WorkerPlugin[]): Promise<void> {
    member.unsticking ??= member.whoRuns(plugins).then((found) => {
      this.#rest(plugins, found, (slug, where) => this.#options.onLoop(slug, where, this.#options.pageMs / 1000))
      if (this.#current === member) this.#current = this.#open()
      void member.end()
    })
    return member.unsticking
  }

  /**
   * A worker has no memory left: each page that was drawn there is drawn again by a new one, one after another, until it is known
   * whose code it was.
   */
  #track(ended: Member, plugins: WorkerPlugin[], draw: (by: Member) => Promise<DrawnPage>): Promise<DrawnPage> {
    this.#suspects++
    const drawn = this.#tracking.then(() => this.#trackOne(ended, plugins, draw))
    this.#tracking = drawn
      .catch(() => {})
      .then(() => {
        if (--this.#suspects > 0) return
        void this.#tracker?.end()
        this.#tracker = undefined
      })
    return withTimeout(this.#options.pageMs, 'A page that is drawn again', drawn)
  }

  async #trackOne(ended: Member, plugins: WorkerPlugin[], draw: (by: Member) => Promise<DrawnPage>): Promise<DrawnPage> {
    if (this.#isClosing) throw new Ended()
    if (ended.isSolved) return await draw(this.#ready(plugins))
    const member = this.#tracker?.fits(plugins) ? this.#tracker : this.#open(true)
    if (this.#tracker !== member) void this.#tracker?.end()
    this.#tracker = member
    await member.warm(plugins)
    const page = await Promise.race([member.full, draw(member)])
    if (page) return page
    ended.isSolved = true
    this.#rest(plugins, await member.whoRuns(plugins), this.#options.onFull)
    void member.end()
    throw new Ended()
  }

  #rest(plugins: WorkerPlugin[], found: Found | undefined, charge: (slug: string, where: string) => void): void {
    const plugin = plugins.find(({ slug }) => slug === found?.slug)
    if (plugin) this.#resting.set(restKey(plugin), Date.now() + REST_MS)
    charge(found?.slug ?? 'kernel', `a page, in ${found?.where ?? 'a place that is not known'}`)
  }

  /** The worker that renders now; at the start of the site that is the one which was prepared. */
  #ready(plugins: WorkerPlugin[]): Member {
    if (this.#current && !this.#current.isGone) return this.#current
    const isPrepared = this.#next?.fits(plugins)
    const member = (isPrepared && this.#next) || this.#open()
    if (isPrepared) this.#next = undefined
    this.#current = member
    return member
  }

  /** Contributions that pages waited for in vain lately, and all of plugins that held up a worker: browsers draw them. */
  #leftOut(plugins: WorkerPlugin[]): string[] {
    for (const [key, until] of this.#resting) if (until < Date.now()) this.#resting.delete(key)
    if (this.#resting.size === 0) return []
    return plugins.flatMap((plugin) =>
      Object.keys(plugin.modules)
        .filter((module) => this.#resting.has(restKey(plugin)) || this.#resting.has(restKey(plugin, module)))
        .map((module) => moduleId(plugin.slug, module)),
    )
  }

  /** Pages that are being rendered or wait for it. */
  get waiting(): number {
    return this.#current?.waiting ?? 0
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([this.#current?.end(), this.#next?.end(), this.#tracker?.end()])
  }
}

const restKey = ({ slug, generation }: { slug: string; generation: string }, module?: string): string =>
  `${slug}@${generation}${module === undefined ? '' : `/${module}`}`

class Late extends Error {}

/** With the worker that was to draw it. */
class Ended extends Error {
  readonly isFull: boolean

  constructor(cause?: unknown) {
    super('The render worker ended', { cause })
    this.isFull = isFull(cause)
  }
}

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
  #thread: number | undefined
  /** Why it ended. */
  #cause: unknown
  isGone = false
  /** Set while it is found out who holds it up. */
  unsticking: Promise<void> | undefined
  /** Resolves when it holds more memory than it may. */
  readonly full: Promise<void>
  /** It is known who has used up its memory. */
  isSolved = false

  readonly #onLate: (key: string) => void

  /** @param onLate hears of contributions that a page has waited for in vain */
  constructor(options: RenderPoolOptions, onLate: (key: string) => void) {
    this.#options = options
    this.#onLate = onLate
    this.#worker = new Worker(options.file, {
      workerData: { core: options.core() },
      env: { NODE_ENV: 'production', ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }) },
      resourceLimits: MEMORY,
    })
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', (error) => this.#endedBy(error))
    this.#worker.on('exit', () => {
      this.isGone = true
      for (const { value } of this.#waiting.all()) value.reject(new Ended(this.#cause))
      this.#settleIdle()
    })
    this.#worker.unref()
    this.full = watchMemory(this.#worker, () => this.waiting > 0)
  }

  get waiting(): number {
    return this.#waiting.size
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
    const told = this.#told === plugins
    this.#remember(plugins)
    const message = await this.#send({ kind: 'render', id: 0, job: sent, given, plugins: told ? [] : plugins }, this.#options.pageMs, page)
    if (message.kind === 'rendered') return message.reply
    throw new Error(message.kind === 'failed' ? message.error : 'Unexpected message of a render worker')
  }

  /** Whether it gets round to its messages, or hardly runs at all. */
  async isAlive(): Promise<boolean> {
    for (let pings = 0; pings < MOST_PINGS; pings++) {
      const before = processorMs(this.#thread)
      const hasAnswered = await this.#send({ kind: 'ping', id: 0 }, PING_MS).then(
        () => true,
        () => false,
      )
      if (hasAnswered) return true
      if (this.isGone || !isStarved(this.#thread, before, PING_MS)) return false
    }
    return false
  }

  async whoRuns(plugins: WorkerPlugin[]): Promise<Found | undefined> {
    return await whoRuns(this.#worker, ownersOf(plugins))
  }

  async retire(): Promise<void> {
    if (this.waiting > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    await this.end()
  }

  async endFull(): Promise<void> {
    this.#endedBy(new WorkerFull('It held more memory than it may'))
    await this.end()
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #endedBy(cause: unknown): void {
    this.#cause = cause
    this.#options.log('error', 'A render worker ended', { error: String(cause) })
  }

  #remember(plugins: WorkerPlugin[]): void {
    this.#told = plugins
    for (const { slug, generation } of plugins) this.#generations.set(slug, generation)
  }

  #send(message: ToWorker, timeoutMs: number, page?: Page): Promise<FromWorker> {
    if (this.isGone) return Promise.reject(new Ended(this.#cause))
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
    if (message.kind === 'late') {
      for (const late of message.modules) this.#onLate(restKey(late, late.module))
      return
    }
    if (message.kind === 'open') {
      this.#thread = message.thread
      return
    }
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

/** Files of plugins lie in their folders. */
function ownersOf(plugins: WorkerPlugin[]): OwnerOf {
  const folders = plugins.map(({ slug, folder }) => [slug, `${pathToFileURL(folder).href}/`] as const)
  return (url) => folders.find(([, folder]) => url.startsWith(folder))?.[0]
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
