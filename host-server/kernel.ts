import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CodedError } from '@stoa/sdk'
import { baseErrors } from '@stoa/sdk'
import type { PluginAdmin, SetupValues } from '@stoa/sdk/server'
import { kernelHooks, pluginProblems } from '@stoa/sdk/server'
import { readCookie } from '../core/kernel/preferences.ts'
import type { KernelData } from './data/index.ts'
import { openData } from './data/index.ts'
import { clientAddress } from './http/client-address.ts'
import type { Dispatcher } from './http/dispatcher.ts'
import { createDispatcher } from './http/dispatcher.ts'
import { createDuplicates } from './http/duplicates.ts'
import type { HttpServices } from './http/instance.ts'
import { viewOf } from './http/instance.ts'
import { kernelPlugin } from './http/kernel-plugin.ts'
import { loopEnded } from './kernel/apart.ts'
import type { ContextServices } from './kernel/context.ts'
import { FaultBook } from './kernel/faults.ts'
import { Lifecycle } from './kernel/lifecycle.ts'
import { Misfit } from './kernel/misfit.ts'
import { createPackageStore } from './kernel/package-store.ts'
import { createPluginAdmin } from './kernel/plugin-admin.ts'
import { restWhenQuiet } from './kernel/rest.ts'
import { scope } from './kernel/scope.ts'
import type { Running, View } from './kernel/view.ts'
import { watchPlugins } from './kernel/watch.ts'
import { watchProcess } from './kernel/watch-process.ts'
import { startWatchdog } from './kernel/watchdog.ts'
import type { Pages } from './pages/index.ts'
import type { Reads } from './reads/index.ts'
import { createReads } from './reads/index.ts'
import { createRescue } from './rescue/index.ts'
import type { RunRecord } from './run-record.ts'
import type { LogFunction } from './types.ts'

/** Writes that one address may send in a minute; a busy person behind it sends a few. */
const MAX_WRITES_A_MINUTE = 300

/** Milliseconds that a plugin's code may take before it counts as failed. */
const LIMITS = { handlerMs: 60_000, tapMs: 10_000, activateMs: 30_000, stuckMs: 5_000 }

export interface KernelOptions {
  dataDir: string
  /** 0: any free port. */
  port: number
  host: string
  databaseUrl?: string | undefined
  /** Folders that hold built plugins. `<dataDir>/plugins` is looked into as well. */
  pluginDirs: string[]
  /** Output of the core's build; without it the site has calls and no pages. */
  coreDir?: string | undefined
  /** Served by `npm run dev`: plugins and core are built anew while it runs. */
  isDevelopment?: boolean
  siteUrl?: string | undefined
  smtpUrl?: string | undefined
  trustProxy: string[]
  rateLimits: boolean
  /** Sets an empty site up at once. */
  install?: { siteName: string; language: string; adminName: string; adminEmail: string; adminPassword: string } | undefined
  log: LogFunction
  /** Unix seconds; tests bring their own clock. */
  now?: () => number
  /** Plugins left out altogether, for tests of a site without them. */
  leaveOut?: string[]
  /** Ends endless loops of plugins on this thread; only for a process of its own. */
  watchdog?: boolean
  /** How the process before this one ended, and what this one is doing. */
  run?: RunRecord
  /** Gives memory back while nobody asks for anything; only for a process of its own. */
  rests?: boolean
  /** Milliseconds that a plugin's code may take. */
  limits?: Partial<typeof LIMITS>
  /** Only these (and what is essential to nobody else is left out), for tests of few plugins. */
  only?: string[]
}

export interface Kernel {
  url: string
  port: number
  plugins: PluginAdmin
  data: KernelData
  /** What is on now. */
  view(): View
  lifecycle(): Lifecycle
  /** Resolves when outbox and jobs have nothing left to do. */
  idle(): Promise<void>
  /** Takes a failing plugin out of service until it is switched on again. */
  quarantine(slug: string, problem: CodedError): Promise<void>
  /** Takes a rebuilt plugin in place of the running one. */
  reload(slug: string): Promise<void>
  /** See {@link Pages}; null without pages. */
  pages: Pick<Pages, 'say' | 'renewCore'> | null
  /** Gives up what is only there for speed, until somebody asks again. */
  rest(): void
  close(): Promise<void>
}

/** Starts the site. Resolves when it serves. */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  const { log } = options
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const data = await openData({
    dataDir: options.dataDir,
    ...(options.databaseUrl && { databaseUrl: options.databaseUrl }),
    ...(options.smtpUrl && { smtpUrl: options.smtpUrl }),
    ...(options.siteUrl && { siteUrl: options.siteUrl }),
    now,
    log: (level, message, details) => log(level, 'kernel', message, details),
  })
  const pluginsDir = join(options.dataDir, 'plugins')
  const roots = [
    ...options.pluginDirs.map((folder) => ({ folder, origin: 'bundled' as const })),
    { folder: pluginsDir, origin: 'installed' as const },
  ]
  const addressOf = clientAddress(options.trustProxy)
  const limits = { ...LIMITS, ...options.limits }
  let dispatcher: Dispatcher | undefined
  const faults = new FaultBook({
    log,
    now,
    quarantine: (slug, problem) =>
      void lifecycle.quarantine(slug, problem).catch((error: Error) => log('error', slug, `Could not be quarantined: ${error.message}`)),
  })
  const stopWatching = watchProcess(faults)
  const stopWatchdog = options.watchdog
    ? startWatchdog(limits.stuckMs, (found) => {
        const { kind, slug, where = '', stack, ms } = found
        const seconds = Math.round(ms / 1000)
        if (slug === undefined) log('warn', 'kernel', `The site stood still for ${seconds} s ${where}`)
        else if (kind === 'endless') log('error', slug, `The site stands still, and nothing can be done: ${where}`, { stack })
        else if (kind === 'slow') faults.slow(slug, where, ms)
        else {
          loopEnded(slug, faults.loop(slug, where, seconds, stack ?? ''))
          dispatcher?.abandon(slug)
        }
      })
    : () => {}
  data.onFault(({ slug, kind, name, error }) => void faults.charge(slug, kind, name, error))
  const readFault = (slug: string, where: string, error: unknown) => void faults.charge(slug, 'read', where, error)

  let lifecycle: Lifecycle
  let pages: Pages | null = null
  let reads: Reads = await createReads(data, 2 * limits.stuckMs, readFault)
  const viewNow = (): View => scope.current().view ?? lifecycle.view

  const admin: PluginAdmin = createPluginAdmin(() => lifecycle, data, faults, {
    init: (choice) => data.setup.init(choice),
    finish: (values) => data.setup.finish(values, runInstalled),
  })
  data.setup.onReopen(() => reboot())

  const http: HttpServices = {
    site: data.site,
    authenticate: async (authorization) => {
      const token = authorization?.replace(/^Bearer\s+/i, '').trim()
      return token ? data.credentials.authenticate(token) : null
    },
    readJson: (view, lane, id, params, request) =>
      reads.json(view, lane, id, params, { person: request.person, language: request.language, now: now() }),
    faults,
    duplicates: createDuplicates(now),
    limitWrites: async (ip) => {
      if (!options.rateLimits) return
      if (!(await data.limits.take('kernel.write', ip, MAX_WRITES_A_MINUTE, 60)))
        throw baseErrors.too_many_requests({ action: 'write', seconds: 60 })
    },
    handlerTimeoutMs: limits.handlerMs,
    trustProxy: options.trustProxy,
  }
  const context: ContextServices = {
    data,
    viewNow,
    current: () => lifecycle.view,
    async read(view, id, params, lane) {
      const request = scope.current().request
      const call = { person: request?.person ?? null, language: request?.language ?? data.site.language, now: now() }
      return lane ? JSON.parse(Buffer.from(await reads.json(view, lane, id, params, call)).toString()) : reads.run(view, id, params, call)
    },
    admin,
    rateLimits: options.rateLimits,
    faults,
    activateTimeoutMs: limits.activateMs,
    log,
    now,
  }

  async function runInstalled(values: SetupValues & { adminId: number }): Promise<void> {
    await viewNow().run(kernelHooks.installed as never, [values])
  }

  const store = createPackageStore(pluginsDir)
  const kernel: Running = await kernelPlugin({
    admin: () => admin,
    lifecycle: () => lifecycle,
    install: (archive) =>
      store.received(archive, async (file) => {
        const { manifest } = await lifecycle.install(file, true)
        return { slug: manifest.slug, version: manifest.version }
      }),
    data,
    context,
    http,
  })

  const makeLifecycle = () =>
    new Lifecycle({
      roots,
      store,
      data,
      kernel,
      context,
      http,
      ...(options.leaveOut && { leaveOut: options.leaveOut }),
      ...(options.only && { only: options.only }),
      taps: {
        fault: (slug, hook, error) => void faults.charge(slug, 'hook', hook, error),
        slow: (slug, hook, ms) => faults.slow(slug, hook, ms),
        timeoutMs: limits.tapMs,
      },
      prepareSet: async (view) => {
        await reads.prepare(view)
        await pages?.prepare(view)
      },
      prepareSafe: async (view) => {
        await reads.prepare(view)
        pages?.admit(view)
      },
      onSwitch: (view) => {
        for (const listener of listeners) listener(view)
      },
      onStarting: (plugin) => options.run?.starting(plugin),
      onRetired: (view) => reads.forget(view),
      log,
    })
  const listeners = new Set<(view: View) => void>()

  /** The installer chose another database: everything is prepared again on it, in this process. */
  async function reboot(): Promise<void> {
    const oldReads = reads
    const before = lifecycle
    reads = await createReads(data, 2 * limits.stuckMs, readFault)
    const next = makeLifecycle()
    await next.start()
    lifecycle = next
    void before.stop().then(() => oldReads.close())
  }

  lifecycle = makeLifecycle()
  await lifecycle.start(options.run)

  const server: Server = createServer((req: IncomingMessage, res: ServerResponse) => dispatcher?.handle(req, res))
  server.keepAliveTimeout = 65_000
  server.requestTimeout = 120_000
  const serving = createDispatcher({
    lifecycle: () => lifecycle,
    pages: () => pages,
    rescue: createRescue({ lifecycle: () => lifecycle, admin, data, rateLimits: options.rateLimits, log }),
    data,
    log,
    handlerTimeoutMs: limits.handlerMs,
  })
  dispatcher = serving
  if (options.coreDir)
    pages = await (await import('./pages/index.ts')).createPages({
      coreDir: options.coreDir,
      isDevelopment: options.isDevelopment ?? false,
      set: (req) => (req && viewOf(req)) ?? lifecycle.view,
      onSwitch: (fn) => {
        listeners.add(fn)
        return () => listeners.delete(fn)
      },
      dispatch: (request) => serving.inject(request),
      changes: () => data.database.changes(),
      now,
      onFacts: (fn) => {
        const ends = [data.settings.onChange(fn), data.site.onChange(fn)]
        return () => {
          for (const end of ends) end()
        }
      },
      site: data.site,
      texts: (slug, language) => lifecycle.webTexts(slug, language),
      languages: () => lifecycle.view.texts.languages(),
      served: (req, visit) => {
        const userAgent = req.headers['user-agent'] ?? ''
        void lifecycle.view.run(kernelHooks.documentServed as never, [{ ...visit, ip: addressOf(req), userAgent }])
      },
      readCookieSession: async (cookie) => {
        const token = readCookie(cookie, 'stoa_session')
        return token ? ((await data.credentials.authenticate(token))?.person ?? null) : null
      },
      log: (level, message, details) => log(level, 'pages', message, details),
      onFault: (slug, where, error) => void faults.charge(slug, 'page', where, error),
    })
  for (;;) {
    const misfit = await pages?.prepare(lifecycle.view).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (misfit === undefined) break
    if (!(misfit instanceof Misfit)) throw misfit
    await lifecycle.quarantine(misfit.slug, pluginProblems.activation({ message: misfit.message }))
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const port = (server.address() as AddressInfo).port
  const rest = () => {
    pages?.forget()
    reads.rest()
  }
  const stopResting = options.rests ? restWhenQuiet(server, rest) : () => {}
  const watching = watchPlugins(pluginsDir, () => lifecycle, log)
  const url = `http://${options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host}:${port}`
  data.site.useAddress(url)
  reads.refresh()
  if (options.install && !data.site.installed) {
    const { siteName, language, adminName, adminEmail, adminPassword } = options.install
    await admin.setup.init({ type: options.databaseUrl ? 'postgres' : 'sqlite3' })
    await admin.setup.finish({
      language,
      siteName,
      siteUrl: data.site.url,
      contactEmail: adminEmail,
      adminName,
      adminEmail,
      adminPassword,
      loginRequired: false,
      extra: {},
    })
  }

  return {
    url,
    port,
    plugins: admin,
    data,
    view: () => lifecycle.view,
    lifecycle: () => lifecycle,
    idle: () => data.settled(),
    quarantine: (slug, problem) => lifecycle.quarantine(slug, problem),
    reload: (slug) => lifecycle.reload(slug),
    pages,
    rest,
    async close() {
      stopResting()
      const closed = new Promise((resolve) => server.close(resolve))
      // A connection that is kept alive is idle only once its last answer is out.
      const closing = setInterval(() => server.closeIdleConnections(), 100)
      setTimeout(() => server.closeAllConnections(), 10_000).unref()
      await pages?.close()
      await closed
      clearInterval(closing)
      await watching.close()
      await lifecycle.stop()
      await reads.close()
      await data.close()
      stopWatchdog()
      stopWatching()
    },
  }
}
