import { randomBytes } from 'node:crypto'
import type { BagToken, EventToken, HookToken, JobToken, ReadToken } from '@stoa/sdk'
import { baseErrors, isStaff } from '@stoa/sdk'
import type { MeasureListener, Measures, PluginAdmin } from '@stoa/sdk/administration'
import { partsOf } from '@stoa/sdk/kernel'
import type { Bags, Host, Jobs, Live, PluginItself, ReadCall, Route, ServerContext } from '@stoa/sdk/server'
import type { Tap } from '../../../sdk/kernel/hooks.ts'
import type { FlatContext } from '../../../sdk/legacy/flat-context.ts'
import { withFlatMembers } from '../../../sdk/legacy/flat-context.ts'
import { laneOf } from '../../../sdk/legacy/lanes.ts'
import { erased } from '../../data/db/erase.ts'
import type { Push } from '../../data/events/pushes.ts'
import type { KernelData } from '../../data/index.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { runIsolated } from '../faults/run-isolated.ts'
import { hearStandstills } from '../faults/watchdog.ts'
import { bagLines, bagText, checkBag, makeExtension } from './bags.ts'
import type { Extension } from './extension.ts'
import type { ViewNow } from './handles.ts'
import { noteLegacyUse } from './load-code.ts'
import { numbered } from './number-settings.ts'
import { scope } from './scope.ts'
import { shownOf } from './shown.ts'
import { FALLBACK_LANGUAGE } from './texts.ts'
import type { ListenRule, SettingsCheck, TapFunction, View } from './view.ts'

// biome-ignore lint/suspicious/noExplicitAny: tokens of any type
type Any = any

export interface ContextServices {
  data: KernelData
  viewNow: ViewNow
  /** The view in force for background work that starts now. */
  current(): View
  read(view: View, id: string, params: unknown, lane?: 'slow'): Promise<unknown>
  admin: PluginAdmin
  measures: Measures
  rateLimits: boolean
  outgoing: Host['fetch']
  faults: FaultBook
  /** Milliseconds that what runs in somebody's request may take. */
  tapTimeoutMs: number
  /** Milliseconds that `activate` may take. */
  activateTimeoutMs: number
  log(level: 'info' | 'warn' | 'error', slug: string, message: string, details?: object): void
  now(): number
}

/** What one activation collected; undone as a whole. */
export interface Activation {
  ctx: ServerContext
  routes: Route[]
  taps: Map<string, Tap[]>
  /** Its values in bags, by the id of the bag. */
  extensions: Map<string, Extension>
  /** Who may listen to its pushes, by the id of the token. */
  lives: Map<string, ListenRule>
  /** What the plugin says about a form before it is saved. */
  checks: SettingsCheck[]
  tests: SettingsCheck[]
  /** Subscriptions, jobs and timers: started when the plugin becomes visible. */
  begin(): void
  /** Ends them again, before the rest: nothing new reaches what left. */
  quiesce(): Promise<void>
  /** Nothing of it runs from now on, for requests on their way either: what held up the site would do so with each of them. */
  shut(): void
  stop(): Promise<void>
}

/** What callers are told of a plugin that was just taken out. */
const RETRY_SECONDS = 5

/** An event that nobody emits: its cursors only know whether their plugin was off. */
const RETURN = '@return'

type Dispose = () => void | Promise<void>

/** Builds the context of one plugin version. */
export function createActivation(plugin: DiscoveredPlugin, services: ContextServices): Activation {
  const { data } = services
  const slug = plugin.manifest.slug
  const controller = new AbortController()
  const routes: Route[] = []
  const taps = new Map<string, Tap[]>()
  const extensions = new Map<string, Extension>()
  const lives = new Map<string, ListenRule>()
  const { contracts } = plugin.manifest
  const refuseForeign = ({ kind, id }: { kind: string; id: string }): void => {
    const [contract] = partsOf(id)
    if (contract !== slug && !(contracts && Object.hasOwn(contracts.offers, contract)))
      throw new Error(`The ${kind} ${id} is not of ${slug}`)
  }
  const extensionsOf = (bag: BagToken<unknown>) => services.viewNow().extensions(bag)
  const starts: (() => Dispose)[] = []
  /** Ends of what only a visible plugin has: subscriptions, jobs, timers. */
  const working: Dispose[] = []
  const disposers: Dispose[] = []
  const checks: SettingsCheck[] = []
  const tests: SettingsCheck[] = []
  let began = false
  let hasQuiesced = false
  let isOut = false
  const goesOut = (): boolean => {
    hearStandstills()
    return isOut
  }
  const refuseOut = (): never => {
    throw baseErrors.busy({ seconds: RETRY_SECONDS })
  }
  const unlessOut = (one: Route): Route => {
    const { handle } = one
    return handle ? { ...one, handle: (request, reply) => (goesOut() ? refuseOut() : handle(request, reply)) } : one
  }
  let returns = 0
  let quiescing: Promise<void> = Promise.resolve()

  /**
   * Background work runs in the view of its moment and holds it, so that its services do not stop under it.
   * @param timer its name; other work carries what a visitor may have written
   */
  const background =
    <A extends unknown[]>(fn: (...args: A) => unknown, timer?: string) =>
    async (...args: A): Promise<void> => {
      const view = services.current()
      const release = view.hold()
      const own = timer !== undefined
      try {
        await scope.run({ slug, request: null, view, own }, async () => {
          try {
            await runIsolated(slug, () => fn(...args))
            if (own) services.faults.well(slug, 'timer', timer)
          } catch (error) {
            // The queue charges the rest, and what it is given twice once.
            const known = error instanceof Error ? error : new Error(String(error))
            if (own) services.faults.charge(slug, 'timer', timer, known)
            throw known
          }
        })
      } finally {
        release()
      }
    }
  const whenVisible = (start: () => Dispose): void => {
    if (began) working.push(start())
    else starts.push(start)
  }

  function on(token: HookToken<TapFunction> | EventToken<unknown>, fn: TapFunction, options: Any = {}): void {
    if (token.kind === 'hook') {
      const list = taps.get(token.id) ?? []
      // Where a fault refuses, nothing passes what the tap would have looked at; elsewhere it has no opinion any more.
      const left = token.onFault === 'refuse' ? refuseOut : () => undefined
      const run = (args: unknown[]) => (goesOut() ? left() : scope.as(slug, () => fn(...args)))
      list.push({ slug, order: options.order ?? 100, when: options.when, run })
      taps.set(token.id, list)
      return
    }
    const take = background(fn)
    // Its payload may have another shape.
    const handler: typeof take = async (...args) => (services.current().cuts.has(slug, token) ? undefined : take(...args))
    const resync = options.resync && background(options.resync)
    whenVisible(() =>
      data.outbox.subscribe(
        slug,
        options.name ?? token.id,
        token.id,
        { whileOff: options.whileOff ?? token.whileOff, atOnce: options.atOnce, ...(resync && { resync }) },
        handler,
      ),
    )
  }

  const read = (async (token: ReadToken<unknown, unknown>, params: unknown, options: { lane?: string; otherwise?: unknown } = {}) => {
    const view = services.viewNow()
    const isCut = view.cuts.has(slug, token)
    if ('otherwise' in options && (isCut || !view.hasRead(token.id))) return options.otherwise
    if (isCut) throw new Error(`${token.id} is there in another version than ${slug} was built for`)
    return await services.read(view, token.id, params, laneOf(options.lane))
  }) as ReadCall
  read.has = (token) => !services.viewNow().cuts.has(slug, token) && services.viewNow().hasRead(token.id)

  const itself: PluginItself = {
    slug,
    version: plugin.manifest.version,
    signal: controller.signal,
    settings: settingsOf(plugin, data, { checks, tests }),
    memberSettings: { of: <T>(personId: number) => memberSettingsWithDefaults(plugin, personId, data) as Promise<T> },
    own: (dispose) => void disposers.push(dispose),
    onReturn: (fn) => {
      const handler = background(fn)
      const name = `@return ${++returns}`
      whenVisible(() => data.outbox.subscribe(slug, name, RETURN, { whileOff: 'resync', resync: handler, always: true }, () => undefined))
    },
  }

  const jobs: Jobs = {
    handle: <P>(token: JobToken<P>, fn: (payload: P) => unknown) => {
      const handler = background(fn)
      whenVisible(() => data.jobs.handle(slug, token, handler))
    },
    enqueue: (token, payload, options) => data.jobs.enqueue(token, payload, options ?? {}),
    every: (name, seconds, fn) => {
      const handler = background(fn, name)
      whenVisible(() => data.jobs.every(slug, name, seconds, handler))
    },
  }

  const faulty = (bag: BagToken<unknown>) => (of: string, error: unknown) => void services.faults.charge(of, 'request', bag.id, error)
  /** What a plugin is called in the language of the request. */
  const nameOf = (of: string): string => {
    const { texts } = services.viewNow()
    const languages = [scope.current().request?.language ?? data.site.language, data.site.language, FALLBACK_LANGUAGE]
    const names = languages.map((language) => (texts.tree(language)[of] as { plugin_name?: unknown } | undefined)?.plugin_name)
    return names.find((name) => typeof name === 'string') ?? of
  }
  const bags: Bags = {
    own: (bag, { strip }) => {
      refuseForeign(bag)
      const handler = background(({ slug: gone }: { slug: string }) => strip(gone))
      whenVisible(() => data.outbox.subscribe(slug, `@erased ${bag.id}`, erased.id, { whileOff: 'replay' }, handler))
    },
    extend: (bag, extension, rules) => {
      if (extension.slug !== slug) throw new Error(`The extension ${extension.id} is not of ${slug}`)
      extensions.set(bag.id, makeExtension(slug, rules))
    },
    check: (bag, given, stored, object, person) =>
      checkBag({
        bag: bag as BagToken<unknown>,
        extensions: extensionsOf(bag as BagToken<unknown>),
        given,
        stored,
        object,
        person,
        faults: services.faults,
        timeoutMs: services.tapTimeoutMs,
      }),
    shown: (bag, stored) => shownOf(stored, (of) => services.viewNow().extends(of, bag)),
    text: (bag, stored) => bagText(extensionsOf(bag), stored, faulty(bag)),
    lines: (bag, stored) => bagLines(extensionsOf(bag), stored, nameOf, faulty(bag)),
  }

  const live: Live = {
    open: (token, may) => {
      refuseForeign(token)
      lives.set(token.id, may)
    },
    push: async (token, topic, payload) => {
      refuseForeign(token)
      await data.pushes.send({ id: token.id, topic, payload })
    },
    heard: (token, fn) => {
      refuseForeign(token)
      // At once: who has pushed may read before anything else happens.
      const hear = ({ id, topic, payload }: Push) => {
        if (id !== token.id) return
        try {
          scope.run({ slug, request: null, view: services.current() }, () => fn(topic, payload as never))
        } catch (error) {
          services.faults.charge(slug, 'request', id, error)
        }
      }
      disposers.push(data.pushes.on(hear))
    },
  }

  const requirePermission = (name: string): void => {
    if (!plugin.manifest.permissions?.includes(name)) throw new Error(`${slug} does not ask for the permission ${name}`)
  }
  const host: Host = {
    request: () => scope.current().request,
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    async limit(action, { key, max, seconds }) {
      if (!services.rateLimits || isStaff(scope.current().request?.person ?? null)) return
      if (!(await data.limits.acquire(`${slug}.${action}`, String(key), max, seconds)))
        throw baseErrors.too_many_requests({ action, seconds })
    },
    once: data.once.of(slug),
    storage: data.storage,
    images: data.images,
    mail: {
      send: data.mail.send,
      deliver: data.mail.deliver,
      get server() {
        requirePermission('kernel.mail')
        return data.mail.server
      },
    },
    texts: {
      text: (key, params, language) =>
        services.viewNow().texts.text(key, params, language ?? scope.current().request?.language ?? data.site.language, data.site.language),
      tree: (language) => services.viewNow().texts.tree(language),
      languages: () => services.viewNow().texts.languages(),
    },
    // Ends with the plugin.
    fetch: (url, options = {}) => {
      const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal
      return services.outgoing(url, { ...options, signal })
    },
    credentials: data.credentials,
    holdBackStaff: (isDemanded) => {
      const asked = () => {
        // Its end is told at once; what stops it may take a while.
        if (hasQuiesced) return false
        try {
          return isDemanded()
        } catch (error) {
          // Who is trusted with more than others is not, as long as nobody knows.
          services.faults.charge(slug, 'request', 'holdBackStaff', error)
          return true
        }
      }
      whenVisible(() => data.credentials.holdBackStaff(asked))
    },
    contributions: (point) => services.viewNow().contributions(point),
    get plugins() {
      requirePermission('kernel.plugins')
      return services.admin
    },
    get measures() {
      requirePermission('kernel.measures')
      // What listens ends with the plugin.
      return {
        now: services.measures.now,
        listen(listener: MeasureListener) {
          const end = services.measures.listen(listener)
          disposers.push(end)
          return end
        },
      }
    },
  }

  const ctx: ServerContext = withFlatMembers<Omit<ServerContext, keyof FlatContext>>(
    {
      plugin: itself,
      db: data.database.ofPlugins,
      log: {
        info: (message, details) => services.log('info', slug, message, details),
        warn: (message, details) => services.log('warn', slug, message, details),
        error: (message, details) => services.log('error', slug, message, details),
      },
      now: services.now,
      routes: (list) => void routes.push(...list.map(unlessOut)),
      on: on as ServerContext['on'],
      run: ((token: HookToken<TapFunction>, ...args: unknown[]) => services.viewNow().run(token, args)) as ServerContext['run'],
      emit: (token, payload, options) => data.outbox.emit(slug, token, payload, options ?? {}),
      read,
      jobs,
      bags,
      live,
      ids: {
        encode: (kind, n) => services.viewNow().ids.encode(kind, n),
        short: (kind, n) => services.viewNow().ids.short(kind, n),
        decode: (text) => services.viewNow().ids.decode(text),
        get kinds() {
          return services.viewNow().ids.kinds
        },
      },
      site: data.site,
      host,
    },
    (use) => {
      if (!began) noteLegacyUse(slug, use)
    },
  )

  return {
    ctx,
    routes,
    taps,
    extensions,
    lives,
    checks,
    tests,
    begin() {
      began = true
      for (const start of starts.splice(0)) working.push(start())
    },
    quiesce,
    shut() {
      isOut = true
      void quiesce()
    },
    async stop() {
      controller.abort()
      await quiesce()
      for (const dispose of disposers.splice(0).reverse()) await ended(dispose)
      taps.clear()
      extensions.clear()
      lives.clear()
    },
  }

  async function ended(dispose: Dispose): Promise<void> {
    try {
      await runIsolated(slug, dispose)
    } catch (error) {
      services.faults.charge(slug, 'stop', 'stop', error)
    }
  }

  function quiesce(): Promise<void> {
    hasQuiesced = true
    const ends = working.splice(0).map(ended)
    quiescing = Promise.all([quiescing, ...ends]).then(() => undefined)
    return quiescing
  }
}

function settingsOf(
  plugin: DiscoveredPlugin,
  data: KernelData,
  { checks, tests }: Record<'checks' | 'tests', SettingsCheck[]>,
): PluginItself['settings'] {
  const { slug } = plugin.manifest
  return {
    get: <T>() => settingsWithDefaults(plugin, data) as T,
    set: (values) => data.settings.set(slug, { ...data.settings.get(slug), ...values }),
    onSave: (check) => void checks.push(check),
    onTest: (test) => void tests.push(test),
  }
}

/** What a person chose for a plugin over the defaults of its manifest. */
export async function memberSettingsWithDefaults(
  { manifest }: Pick<DiscoveredPlugin, 'manifest'>,
  personId: number,
  data: KernelData,
): Promise<Record<string, unknown>> {
  const fields = manifest.memberSettings ?? []
  const stored = await data.memberSettings.get(manifest.slug, personId)
  // What an older version of the form had is nothing any more.
  return Object.fromEntries(fields.map((field) => [field.name, Object.hasOwn(stored, field.name) ? stored[field.name] : field.value]))
}

/** Stored values of a plugin's config form over the defaults of its manifest. */
export function settingsWithDefaults({ manifest }: DiscoveredPlugin, data: KernelData): Record<string, unknown> {
  const defaults = (manifest.settings ?? []).flatMap((field) => (field.value === undefined ? [] : [[field.name, field.value]]))
  // What was stored before numbers were told from texts is a text.
  return numbered(manifest.settings ?? [], { ...Object.fromEntries(defaults), ...data.settings.get(manifest.slug) })
}
