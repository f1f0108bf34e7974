import { AsyncResource } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import type { Turn } from '@stoa/sdk/server'
import { createTurns } from '@stoa/sdk/server'
import type { Markdown, Rendering, RenderOptions } from '../shared/api.ts'
import { cellsOf, unformatted } from './markdown.ts'

export interface ToRenderer {
  source: string
  options: RenderOptions
  /** Of the site, the present one first. */
  addresses: readonly string[]
  /** Milliseconds that the blocks of code of one text may be coloured for. */
  colourMs: number
}
export type FromRenderer = { html: string } | { error: string }

/** Characters of a text without code that is rendered at once: 30 ms at most (measured, noisy machine), less than a thread costs to begin. */
const SMALL = 4096
const FEW_CELLS = 1000
const FENCE = /^[ \t>!*+\-\d.)]*(?:```|~~~)/m
/** Characters of HTML that a text may become: footnotes can repeat themselves. */
const MOST_HTML = 1_000_000

/** How often a text is tried, each time with less: in colours, without, as it was typed. Milliseconds. */
const TRIES = [
  { colourMs: 300, patienceMs: 1_500 },
  { colourMs: 0, patienceMs: 3_000 },
]
/** Texts that wait at most, and previews beside them; each takes a few milliseconds, unless somebody makes an effort. */
const MOST_WAITING = 100
/** A client that brings somebody's texts over sends some at once. */
const MOST_OF_ONE = 16
const MOST_PREVIEWS_OF_ONE = 4
/** What waits longer is refused, which leaves the caller time to hear of it. */
const WAIT_MS = 20_000
const IDLE_MS = 30_000
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

/** A renderer that runs while there is something to do. */
export interface RenderThread extends Rendering {
  /** The same in the thread whatever it is, for what nobody waits for. @returns undefined where the thread did not finish */
  renderApart(source: string, options?: RenderOptions): Promise<string | undefined>
  /** Waits behind every text that is to be kept, and only until `gone` is aborted. */
  preview(source: string, options: RenderOptions, gone: AbortSignal): Promise<string>
  stop(): Promise<void>
}

/**
 * Renders in a thread with a time limit and a cap of memory, one text after the other; small texts without code at once.
 * @param file of the thread's code
 * @param markdown for small texts
 * @param prepare what other plugins make of a text first
 * @param caller who asks now: callers take turns
 */
export function createRendering({
  file,
  markdown,
  addresses,
  prepare,
  caller,
  warn,
}: {
  file: string
  markdown: Markdown
  addresses: () => readonly string[]
  prepare(source: string): Promise<string>
  caller(): string
  warn(message: string, details: object): void
}): RenderThread {
  // A thread belongs to nobody's request, though somebody's is the first that needs it.
  const outside = new AsyncResource('stoa.rendering')
  const turns = createTurns({
    most: MOST_WAITING,
    mostOfOne: MOST_OF_ONE,
    mostLowOfOne: MOST_PREVIEWS_OF_ONE,
    idleMs: IDLE_MS,
    rest: () => void end(),
  })
  let worker: Worker | undefined
  let received: ((reply: FromRenderer) => void) | undefined
  let stopped = false

  async function end(): Promise<void> {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  function begin(): Worker {
    const thread = outside.runInAsyncScope(() => new Worker(file, { resourceLimits: MEMORY }))
    const answer = (reply: FromRenderer) => {
      if (thread === worker) received?.(reply)
    }
    thread.on('message', answer)
    thread.on('error', (error) => answer({ error: String(error) }))
    thread.on('exit', () => answer({ error: 'it ended' }))
    return thread
  }

  async function ask(message: ToRenderer, patienceMs: number): Promise<string> {
    worker ??= begin()
    const { promise, resolve } = Promise.withResolvers<FromRenderer>()
    received = resolve
    const timer = setTimeout(resolve, patienceMs, { error: `it took more than ${patienceMs} ms` })
    worker.postMessage(message)
    const reply = await promise
    clearTimeout(timer)
    if ('html' in reply) return reply.html
    await end()
    throw new Error(reply.error)
  }

  const inThread = (source: string, options: RenderOptions, turn: Turn): Promise<string | undefined> =>
    turns.take(async () => {
      // Without code there are no colours to leave out.
      for (const { colourMs, patienceMs } of FENCE.test(source) ? TRIES : TRIES.slice(-1)) {
        if (stopped) break
        try {
          const html = await ask({ source, options, addresses: addresses(), colourMs }, patienceMs)
          if (html.length <= MOST_HTML) return html
          warn('A text became too much HTML; it is shown as it was typed', { characters: source.length, html: html.length })
          return unformatted(source)
        } catch (error) {
          warn('A text could not be rendered like this in time', { characters: source.length, colourMs, error: String(error) })
        }
      }
      return undefined
    }, turn)

  const withLinks = async (source: string, options: RenderOptions) => (options.profile === 'basic' ? source : await prepare(source))

  function turnOf(gone: AbortSignal | undefined): Turn {
    const late = AbortSignal.timeout(WAIT_MS)
    return gone ? { of: caller(), priority: 'low', signal: AbortSignal.any([gone, late]) } : { of: caller(), signal: late }
  }

  /** @param gone aborted when nobody wants a preview any more; absent for what is to be kept */
  async function renderFor(source: string, options: RenderOptions, gone?: AbortSignal): Promise<string> {
    const prepared = await withLinks(source, options)
    const isSmall = prepared.length <= SMALL && !FENCE.test(prepared) && cellsOf(prepared) <= FEW_CELLS
    return isSmall ? markdown.render(prepared, options) : ((await inThread(prepared, options, turnOf(gone))) ?? unformatted(prepared))
  }

  return {
    render: (source, options = {}) => renderFor(source, options),
    preview: renderFor,
    renderApart: async (source, options = {}) => inThread(await withLinks(source, options), options, { priority: 'low' }),
    async stop() {
      stopped = true
      turns.close()
      await end()
    },
  }
}
