import type { TapContext, WebHook } from '@stoa/sdk/web'
import type { ComponentType } from 'react'
import type { Clock } from '../../sdk/kernel/clock.ts'
import type { TapWatch } from '../../sdk/kernel/hooks.ts'
import { buildHook } from '../../sdk/kernel/hooks.ts'
import { showDialog } from './dialogs.ts'
import { askConfirm, showToast } from './feedback.ts'
import type { Runnable, RunOptions, TapsParts } from './tap-parts.ts'

/** Source: the request layer's own time-out. On the server a page waits no longer for anything. */
const TIMEOUT_MS = 10_000
const SERVER_TIMEOUT_MS = 4000

/** Runs taps of one hook. @param page aborted when the page is left that stands while somebody is asked */
export function runTaps(
  parts: TapsParts,
  hook: WebHook,
  taps: Runnable[],
  about: unknown,
  options: RunOptions,
  page: () => AbortSignal,
): Promise<unknown> {
  const { isServer } = parts
  const watch: TapWatch = {
    timeoutMs: isServer ? SERVER_TIMEOUT_MS : TIMEOUT_MS,
    fault(slug, hook, error) {
      if (!isServer) console.error(`${slug} failed in ${hook}`, error)
      parts.onFault(slug, error)
    },
    slow(slug, hook, ms) {
      if (!isServer) console.warn(`${slug} takes ${(ms / 1000).toFixed(1)} s in ${hook}`)
    },
  }
  const list = taps.map((tap) => ({
    slug: tap.slug,
    order: tap.order,
    run: (args: unknown[], clock: Clock) => runTap(parts, tap, args[0], clock, options, page),
  }))
  return buildHook(hook, list, watch)(about)
}

async function runTap(
  parts: TapsParts,
  tap: Runnable,
  about: unknown,
  clock: Clock,
  options: RunOptions,
  page: () => AbortSignal,
): Promise<unknown> {
  const late = new AbortController()
  // Named first: written straight into the property it would be made old, with all of the page that it knows (decision 0048).
  const onLate = () => {
    late.abort()
    options.onLate?.(tap.id)
  }
  clock.onLate = onLate
  const signal = AbortSignal.any([tap.gone, late.signal, ...(options.signal ? [options.signal] : [])])
  let answered = false
  const context = contextOf(parts, tap, clock, options, {
    signal,
    page,
    onGiven() {
      answered = true
    },
  })
  try {
    const run = (await tap.load()) as (about: unknown, context: TapContext) => unknown
    const result = signal.aborted ? undefined : await orAborted(run(about, context), signal)
    if (result === undefined || signal.aborted) return undefined
    return options.accept ? options.accept(result, { id: tap.id, answered }) : result
  } catch (error) {
    // What goes may fail while it goes.
    if (tap.gone.aborted || options.signal?.aborted) return undefined
    throw error
  }
}

interface Running {
  signal: AbortSignal
  page(): AbortSignal
  onGiven(): void
}

function contextOf(parts: TapsParts, tap: Runnable, clock: Clock, options: RunOptions, running: Running): TapContext {
  const { store, texts, isServer } = parts
  const { slug } = tap
  const api = parts.api(new Set([...(options.skip ?? []), tap.id]))
  /** While a person is asked, the clock stands still; nobody answers on a page that was left. */
  async function asking<T>(show: (until: AbortSignal) => Promise<T | undefined>): Promise<T | undefined> {
    if (isServer) return undefined
    const goOn = clock.pause()
    try {
      const answer = await show(AbortSignal.any([running.signal, running.page()]))
      if (answer === undefined) options.onCancel?.()
      else running.onGiven()
      return answer
    } finally {
      goOn()
    }
  }
  return {
    slug,
    signal: running.signal,
    api,
    t: (key, values) => texts.translator(slug, parts.language())(key, values),
    login: parts.login,
    session: parts.session,
    site: parts.site,
    toast: (toast) => showToast(store, toast),
    confirm: async (question) => (await asking(async (until) => (await askConfirm(store, question, until)) || undefined)) === true,
    ask: (async (dialog: () => Promise<{ default: ComponentType }>, props: object) => {
      const Component = (await dialog()).default
      return await asking((until) => showDialog(store, { slug, Component, props, api }, until))
    }) as TapContext['ask'],
  }
}

/** What `work` resolves to, or undefined as soon as the signal is aborted. */
function orAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    signal.addEventListener('abort', stop)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
