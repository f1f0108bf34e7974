import { EventEmitter } from 'node:events'
import { loadIcons } from '@stoa/sdk/ui/icon'
import type { PageModule } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { FunctionComponent, ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server.node'
import type { PageMap, PageState } from '../../sdk/pages/page-state.ts'
import { errorName, moduleId, statusOf } from '../../sdk/pages/page-state.ts'
import type { CallReply, Transport } from '../kernel/call.ts'
import { isRefusal } from '../kernel/call.ts'
import type { CommonParts, Core } from '../kernel/core.ts'
import { createCore, languageAtom, siteAtom } from '../kernel/core.ts'
import { checkGuards } from '../kernel/guards.ts'
import type { Loader } from '../kernel/loader.ts'
import { createLoader } from '../kernel/loader.ts'
import { checkedDecision } from '../kernel/navigation.ts'
import { matchPage } from '../kernel/registry.ts'
import { loginAtom } from '../kernel/session.ts'
import type { FetchTexts, TextBook } from '../kernel/texts.ts'
import { createTextBook } from '../kernel/texts.ts'
import { FAILED_MARK } from '../router/contribution.tsx'
import { fullTitle } from '../router/head.ts'
import { createStaticHistory } from '../router/history.ts'
import { SlotOutlet } from '../router/slot-outlet.tsx'
import { App, Surroundings } from './app.tsx'
import type { RenderJob, RenderReply } from './render-types.ts'
import { shareScope } from './shared.ts'

export type { Loader }
export { createLoader, createTextBook, shareScope }

export interface RenderIo {
  transport: Transport
  /** Replies that came with the page. */
  known?(url: string): CallReply | undefined
  loader: Loader
  fetchTexts: FetchTexts
  /** Of the map's tag and language. */
  texts: TextBook
  /** Contributions and taps, by id, that the page has waited for in vain. */
  onLate(ids: string[]): void
}

/** A contribution that fails may uncover another that does; a page where more fail than this is not worth more time. */
const MOST_PASSES = 4
/** Milliseconds after which what still waits counts as failed. The host gives up on the whole page a second later. */
const PATIENCE_MS = 4000

/** Renders one page as a visitor sees it. Rejects only when the frame itself fails. */
export async function renderPage(job: RenderJob, io: RenderIo): Promise<RenderReply> {
  await loadIcons()
  const history = createStaticHistory(job.url)
  const state: PageState = {
    ...job.state,
    texts: {},
    facts: {},
    page: null,
    replies: {},
    use: [],
    failed: job.leaveOut ?? [],
    rendered: true,
  }
  const charged: RenderReply['charged'] = []
  const onTapFault = (slug: string, error: unknown) => void charged.push([slug, describe(error)])
  const hooked = { skip: new Set(job.leaveOut), onLate: (id: string) => io.onLate([id]) }
  const common = new Common()
  const core = createCore({
    state,
    history,
    ...io,
    Slot: SlotOutlet,
    fetchMap: async () => state.map,
    isServer: true,
    onTapFault,
    named,
    common,
  })
  await core.texts.ensure('core', state.map.language)
  const { pathname, search, hash, key } = history.location
  const match = matchPage(state.map, pathname)
  const reply: RenderReply = {
    status: match ? 200 : statusOf(pathname),
    html: '',
    title: '',
    head: {},
    page: null,
    replies: {},
    use: [],
    soon: match && !match.route.onServer ? [[match.route.slug, match.route.module]] : [],
    failed: [],
    late: [],
    ...(match && { route: { path: match.route.path, params: match.params } }),
    namespaces: [],
    groups: {},
    faults: [],
    charged,
  }
  let isLate = false
  const move = { to: { pathname, search, hash }, how: 'document' } as const
  const decision = await core.taps.run(webHooks.beforeNavigate, move, { ...hooked, subject: { path: pathname }, accept: checkedDecision })
  if (typeof decision === 'object' && decision.redirect !== pathname + search) return { ...reply, status: 302, redirect: decision.redirect }
  const t = core.texts.translator('core', core.store.get(languageAtom))
  if (!match) reply.head = { title: t(`error.${errorName(statusOf(pathname))}.title`), noindex: true }
  else {
    const { route, params } = match
    const guards = core.guards.ready(route)
    if (guards)
      await inTime(guards, `Loading the guards of ${pathname}`).catch((error: unknown) => {
        for (const entry of core.guards.modules(route)) if (!core.guards.peek(entry)) charged.push([entry.slug, describe(error)])
      })
    const verdict = checkGuards(route, core.store.get(loginAtom), state.site, core.guards, pathname)
    if (typeof verdict === 'object' && 'place' in verdict && core.place(verdict.place) !== undefined) {
      return { ...reply, status: 302, redirect: core.place(verdict.place) as string }
    }
    reply.head = { title: route.title }
    if (typeof verdict === 'object' && 'guard' in verdict) {
      onTapFault(verdict.slug, verdict.error)
      reply.status = 500
      reply.head = { title: t('error.50x.title'), noindex: true }
    }
    const id = `${route.slug}/${route.module}`
    if (verdict === 'pass' && route.onServer && !core.failed.has(id)) {
      const resource = core.pages.open({ key, pathname, search }, route, params)
      await inTime(resource.ready, `Loading the data of ${id}`).catch((error: unknown) => {
        if (!isRefusal(error)) charged.push([route.slug, describe(error)])
        core.failed.add(id)
        isLate = error instanceof TooLate
      })
      if (resource.redirect !== undefined) return { ...reply, status: 302, redirect: resource.redirect }
      if (resource.broken !== undefined) {
        if (!isRefusal(resource.broken)) charged.push([route.slug, `${id}: ${describe(resource.broken)}`])
        core.failed.add(`${route.slug}/${route.module}`)
      } else reply.page = core.store.get(resource.content)
      const module = core.loader.peek(route.slug, route.generation, route.module) as PageModule | undefined
      if (reply.page && !reply.page.failure && module?.head) {
        try {
          const about = { t: core.texts.translator(route.slug, core.store.get(languageAtom)), site: core.store.get(siteAtom), params }
          reply.head = { title: route.title, ...module.head(reply.page.data, about) }
        } catch (error) {
          charged.push([route.slug, `head of ${id}: ${describe(error)}`])
        }
      }
    }
  }
  if (reply.page?.failure) {
    reply.status = reply.page.failure.status
    reply.head = { title: t(`error.${errorName(reply.page.failure.status)}.title`), noindex: true }
  }
  const { jsonLd } = reply.head
  const structured =
    jsonLd && core.taps.run(webHooks.structuredData, { data: { ...jsonLd }, path: pathname }, { ...hooked, subject: { path: pathname } })
  reply.html = await renderAll(core, io, reply)
  const told = await structured
  if (told) reply.head = { ...reply.head, jsonLd: told.data }
  const page = match && `${match.route.slug}/${match.route.module}`
  if (page && core.failed.has(page) && !job.leaveOut?.includes(page)) reply.status = isLate ? 503 : 500
  reply.title = fullTitle(reply.head.title, state.site)
  reply.replies = core.replies.collected()
  reply.use = [...core.used.values()]
  reply.failed = [...core.failed]
  reply.namespaces = core.texts.namespaces()
  reply.groups = core.texts.groups()
  await common.draw(core)
  return reply
}

class TooLate extends Error {}

/** @throws {TooLate} when `work` takes longer than a page waits for anything */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`${what} takes longer than ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/**
 * Renders until no contribution fails: those that do are left out of the next pass, their place stays empty.
 */
async function renderAll(core: Core, io: RenderIo, reply: RenderReply): Promise<string> {
  for (let pass = 1; ; pass++) {
    core.used.clear()
    core.drawn.clear()
    const { html, faults } = await renderOnce(<App core={core} />)
    const late = new Set<string>()
    for (const { id, text, isLate } of faults) {
      if (id === undefined) reply.faults.push(text)
      else
        reply.charged.push([
          id.split('/', 1)[0] as string,
          text.replace(/^[^\n]*/, (line) => `${line} (in ${placeOfModule(core.map(), id)})`),
        ])
      if (id !== undefined && isLate) late.add(id)
    }
    reply.late.push(...late)
    if (late.size > 0) io.onLate([...late])
    const marks = html.includes(FAILED_MARK) ? html.matchAll(new RegExp(`<i ${FAILED_MARK}="([^"]+)"`, 'g')) : []
    const failed = [...marks].map((match) => match[1] as string).filter((id) => core.used.has(id))
    if (failed.length === 0) return inert(html)
    if (pass === MOST_PASSES) throw new Error(`Contributions keep failing: ${failed.join(', ')}`)
    for (const id of failed) core.failed.add(id)
  }
}

/** A form that only scripts can send goes nowhere before they are there: not to its page, with what was typed in the address. */
const inert = (html: string): string => html.replace(/<form(?=[\s>])(?![^>]*\saction=)/g, '<form method="dialog"')

/** A contribution as its author knows it: `meetups/web/place.tsx in experiences.body`. */
function placeOfModule({ plugins }: PageMap, id: string): string {
  const filled = plugins.flatMap(([slug, , , slots]) => slots.filter(([, module]) => moduleId(slug, module) === id).map(([slot]) => slot))
  return filled.length > 0 ? `${id} in ${filled.join(', ')}` : id
}

/** Takes all of a finished page at once: as a stream of Node.js would, without its queues. In development React writes bytes, see `write-text.cjs`. */
class Sink extends EventEmitter {
  /** Grown by appending, which copies nothing: a list of a thousand pieces to be joined was a tenth of drawing a page (measured). */
  #html = ''
  readonly #utf8 = new TextDecoder()
  readonly #done: (html: string) => void

  constructor(done: (html: string) => void) {
    super()
    this.#done = done
  }

  write(chunk: Uint8Array | string): boolean {
    this.#html += typeof chunk === 'string' ? chunk : this.#utf8.decode(chunk, { stream: true })
    return true
  }

  end(): void {
    this.#done(this.#html)
  }
}

const NAME = 'contribution '
const names = new Map<string, unknown>()

/** React tells of a fault by the names of the components that it is in: each contribution is one with its own id. */
function named<P>(id: string, component: FunctionComponent<P>): FunctionComponent<P> {
  let own = names.get(id) as FunctionComponent<P> | undefined
  if (!own) {
    // React looks for its place in the code by calling it with nothing.
    own = Object.assign((props?: P) => props && component(props), { displayName: NAME + id })
    names.set(id, own)
  }
  return own
}

const commonParts = new WeakMap<object, Map<string, string>>()

/** Parts of the frame that the pages of this process have in common. */
class Common implements CommonParts {
  readonly #asked: [from: object, name: string, part: ReactNode][] = []

  find(from: object, name: string): string | undefined {
    return commonParts.get(from)?.get(name)
  }

  ask(...part: [from: object, name: string, part: ReactNode]): void {
    this.#asked.push(part)
  }

  async draw(core: Core): Promise<void> {
    for (const [from, name, part] of this.#asked) {
      const { html, faults } = await renderOnce(<Surroundings core={core}>{part}</Surroundings>)
      if (faults.length > 0) continue
      const parts = commonParts.get(from) ?? new Map<string, string>()
      commonParts.set(from, parts.set(name, html))
    }
  }
}

interface Fault {
  /** Contribution; undefined for what is the frame's own. */
  id: string | undefined
  text: string
  isLate: boolean
}

function renderOnce(page: ReactNode): Promise<{ html: string; faults: Fault[] }> {
  const faults: Fault[] = []
  const late = new Error(`It waits longer than ${PATIENCE_MS / 1000} s for something`)
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(page, {
      // Otherwise a boundary with a large post becomes a hidden segment and an inline script (measured).
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onShellError: reject,
      onError(error, { componentStack = '' }) {
        // What was refused is an answer: its place stays empty.
        if (isRefusal(error)) return
        const isLate = error === late
        const [, id] = new RegExp(`^\\s+at ${NAME}(\\S+)`, 'm').exec(componentStack) ?? []
        faults.push({ id, text: isLate ? late.message : describe(error), isLate })
      },
      onAllReady() {
        clearTimeout(timer)
        stream.pipe(new Sink((html) => resolve({ html, faults })))
      },
    })
    const timer = setTimeout(() => stream.abort(late), PATIENCE_MS)
  })
}
