import type { IncomingMessage } from 'node:http'
import type { Measures, PluginAdmin, SetupValues } from '@stoa/sdk/administration'
import type { MailMessage } from '@stoa/sdk/server'
import { kernelHooks, whoAsks } from '@stoa/sdk/server'
import type { KernelData } from '../data/index.ts'
import { openData } from '../data/index.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Dispatcher } from '../http/dispatcher.ts'
import { FaultBook } from '../kernel/faults/fault-book.ts'
import { PluginLoads } from '../kernel/faults/plugin-loads.ts'
import type { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import { createPluginAdmin } from '../kernel/lifecycle/plugin-admin.ts'
import { scope } from '../kernel/runtime/scope.ts'
import type { View } from '../kernel/runtime/view.ts'
import type { Pages } from '../pages/index.ts'
import type { Reads } from '../reads/index.ts'
import { createReads } from '../reads/index.ts'
import { Measuring } from '../shared/measuring.ts'
import type { KernelOptions } from './kernel-options.ts'
import { LIMITS } from './kernel-options.ts'
import { createMeasures } from './measures.ts'

/** The parts of a running kernel. Some are replaced while it runs, so the others keep this object and look them up. */
export interface KernelState {
  readonly options: KernelOptions
  readonly limits: typeof LIMITS
  /** Unix seconds. */
  now(): number
  /** Where a request comes from, after trusted proxies. */
  addressOf(req: IncomingMessage): string
  readonly data: KernelData
  readonly faults: FaultBook
  readonly loads: PluginLoads
  readonly admin: PluginAdmin
  readonly measuring: Measuring
  readonly measures: Measures
  /** Told of each new set of plugins. */
  readonly onSwitch: Set<(view: View) => void>
  /** Another one after the installer chose another database. */
  lifecycle: Lifecycle
  reads: Reads
  /** Null for a site without pages, and until they are ready. */
  pages: Pages | null
  dispatcher: Dispatcher | undefined
  /** The view that counts now: that of the running request, else the current one. */
  viewNow(): View
  openReads(): Promise<Reads>
}

/** Opens the database and everything that is there before any plugin is. `lifecycle` follows. */
export async function openState(options: KernelOptions): Promise<KernelState> {
  const { log } = options
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const limits = { ...LIMITS, ...options.limits }
  const measuring = new Measuring()
  const data = await openData({
    dataDir: options.dataDir,
    ...(options.databaseUrl && { databaseUrl: options.databaseUrl }),
    ...(options.smtpUrl && { smtpUrl: options.smtpUrl }),
    ...(options.siteUrl && { siteUrl: options.siteUrl }),
    rateLimits: options.rateLimits,
    now,
    caller: () => whoAsks(scope.current().request),
    onStatement(ms, failed) {
      if (!measuring.isOn) return
      const { timing } = scope.current()
      if (timing) timing.db += ms
      measuring.statement(ms, failed)
    },
    log: (level, message, details) => log(level, 'kernel', message, details),
  })
  const faults = new FaultBook({
    log,
    now,
    current: scope.current,
    quarantine: (slug, problem) =>
      void state.lifecycle
        .quarantine(slug, problem)
        .catch((error: Error) => log('error', slug, `Could not be quarantined: ${error.message}`)),
  })
  const loads = new PluginLoads()
  data.onFault(({ slug, kind, name, error }) => void faults.charge(slug, kind, name, error))
  const openReads = () =>
    createReads(data, {
      hostDir: options.hostDir,
      stuckMs: 2 * limits.stuckMs,
      watch: {
        onFault: (slug, where, error) => void faults.charge(slug, 'read', where, error),
        onWell: (slug, where) => faults.well(slug, 'read', where),
        onLoop: (slug, where, seconds) => faults.loopInWorker(slug, where, seconds),
        onFull: (slug, where) => faults.fullWorker(slug, where),
      },
    })
  const admin = createPluginAdmin(() => state.lifecycle, data, { faults, loads }, now, {
    init: (choice) => data.setup.init(choice),
    finish: (values) => data.setup.finish(values, runInstalled),
  })
  async function runInstalled(values: SetupValues & { adminId: number }): Promise<void> {
    await state.viewNow().run(kernelHooks.installed as never, [values])
  }
  const state: KernelState = {
    options,
    limits,
    now,
    addressOf: clientAddress(options.trustProxy),
    data,
    faults,
    loads,
    admin,
    measuring,
    measures: createMeasures(() => state),
    onSwitch: new Set([(view) => faults.follow(view.plugins)]),
    lifecycle: undefined as unknown as Lifecycle,
    reads: await openReads(),
    pages: null,
    dispatcher: undefined,
    viewNow: () => scope.current().view ?? state.lifecycle.view,
    openReads,
  }
  // Mails of the time before there are plugins go as they are.
  const run = async (hook: object, args: unknown[]) =>
    (state.lifecycle as Lifecycle | undefined) && (await state.viewNow().run(hook as never, args))
  data.mail.watch({
    before: async (message) => ((await run(kernelHooks.beforeMail, [message])) ?? message) as MailMessage,
    tried: async (message, refusal) => void (await run(kernelHooks.mailTried, [message, refusal])),
  })
  return state
}
