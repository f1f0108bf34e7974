import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Images, Migration } from '@stoa/sdk/server'
import { oneAtATime } from '../shared/one-at-a-time.ts'
import { opennessOf, PRIVATE_FOLDER } from '../shared/private-files.ts'
import type { Fault } from './db/backoff.ts'
import type { Connection, Link, OnStatement, ReaderConfig } from './db/connection.ts'
import { erased, erasePlugin, hasDataOf, slugsWithData } from './db/erase.ts'
import { kernelMigrations } from './db/kernel-migrations.ts'
import { contractedBeyond, createMigrationTable, migrate } from './db/migrate.ts'
import type { Nodes } from './db/nodes.ts'
import { createNodes } from './db/nodes.ts'
import { createRevisions } from './db/revisions.ts'
import type { KernelDatabase } from './db/transactions.ts'
import { createDatabase } from './db/transactions.ts'
import type { Outbox } from './events/outbox.ts'
import { createOutbox } from './events/outbox.ts'
import type { Pushes } from './events/pushes.ts'
import { createPushes } from './events/pushes.ts'
import type { KernelCredentials } from './identity/credentials.ts'
import { createCredentials } from './identity/credentials.ts'
import type { RescueAccess } from './identity/rescue.ts'
import { createRescueAccess } from './identity/rescue.ts'
import type { Jobs } from './jobs/jobs.ts'
import { createJobs } from './jobs/jobs.ts'
import { createImages } from './services/images.ts'
import type { Limits } from './services/limits.ts'
import { createLimits } from './services/limits.ts'
import type { KernelMail } from './services/mail.ts'
import { createMail } from './services/mail.ts'
import type { ShortLived } from './services/once.ts'
import { createShortLived } from './services/once.ts'
import type { StoredFiles } from './services/storage.ts'
import { createStorage } from './services/storage.ts'
import { readGauges } from './site/gauges.ts'
import type { MemberSettingStore } from './site/member-settings.ts'
import { createMemberSettings } from './site/member-settings.ts'
import type { PluginStates, Problem } from './site/plugin-states.ts'
import { createPluginStates } from './site/plugin-states.ts'
import type { SettingStore } from './site/settings.ts'
import { createSettings } from './site/settings.ts'
import type { DatabaseTarget, KernelSetup } from './site/setup.ts'
import { configuredDatabase, createSetup, defaultDatabase, openConfigured, openTarget, refuseLostSite, rememberSite } from './site/setup.ts'
import type { Site } from './site/site.ts'
import { createSite } from './site/site.ts'
import type { SwitchHistory } from './site/switch-history.ts'
import { createSwitchHistory } from './site/switch-history.ts'

export type {
  Fault,
  Jobs,
  KernelCredentials,
  KernelDatabase,
  KernelMail,
  KernelSetup,
  Limits,
  Outbox,
  PluginStates,
  Problem,
  ReaderConfig,
  SettingStore,
  Site,
}

export interface DataOptions {
  dataDir: string
  /** `postgres://…`; without, the configuration file decides, else `<dataDir>/stoa.db`. */
  databaseUrl?: string
  smtpUrl?: string
  /** Address of the site that wins over the stored one. */
  siteUrl?: string
  /** Unix seconds. */
  now?: () => number
  log: (level: 'info' | 'warn' | 'error', message: string, details?: object) => void
  /** Hears of every statement. */
  onStatement?: OnStatement
  /** Who asks for what runs now; what waits takes turns by it. */
  caller?: () => string
  /** False: passwords may be tried without end. */
  rateLimits?: boolean
  /** Does no events, jobs and timers: for a command line beside a running site. */
  passive?: boolean
  /** After so many silent seconds another node takes over what this one was doing; default 10. */
  leaseSeconds?: number
}

/** Everything the kernel keeps. */
export interface KernelData {
  readonly dialect: 'sqlite' | 'postgres'
  /** As plugins see it. */
  readonly database: KernelDatabase
  /** For `openReader` of `reader.ts`. */
  readonly readerConfig: ReaderConfig
  /** Runs steps that have not run; `slug` is `kernel` or a plugin's. @returns false where a contracting step waits for another node */
  migrate(slug: string, migrations: (Migration & { name: string })[], until?: 'expanded' | 'done'): Promise<boolean>
  /** The contracting step that keeps a version with these migrations from running on the present tables. */
  contractedBeyond(slug: string, migrations: readonly { name: string }[]): Promise<string | undefined>
  /** Deletes everything a plugin has stored. */
  erase(slug: string): Promise<void>
  /** Whether something is stored of a plugin, be it there or removed. */
  hasDataOf(slug: string): Promise<boolean>
  /** Plugins that have made tables, be they there or removed. */
  slugsWithData(): Promise<string[]>
  readonly credentials: KernelCredentials
  readonly settings: SettingStore
  readonly memberSettings: MemberSettingStore
  readonly site: Site
  readonly plugins: PluginStates
  readonly nodes: Nodes
  /** What was decided about plugins, when and by whom. */
  readonly switches: SwitchHistory
  readonly rescue: RescueAccess
  readonly outbox: Outbox
  readonly pushes: Pushes
  readonly jobs: Jobs
  readonly storage: StoredFiles
  readonly images: Images
  readonly mail: KernelMail
  readonly limits: Limits
  readonly once: ShortLived
  readonly setup: KernelSetup
  /** Any setting, of the site or of a plugin, is another one. @returns what ends it */
  onFacts(fn: () => void): () => void
  /** `fn` hears of every failing event handler, job and timer, and logs it; without one they are logged here. */
  onFault(fn: (fault: Fault) => void): void
  /** What the database says of itself, and of what waits in it for these plugins. */
  gauges(slugs: readonly string[], now: number): ReturnType<typeof readGauges>
  /** Resolves when no event, job or timer is under way or due. */
  settled(): Promise<void>
  /** Finishes what runs, stores positions, closes files. */
  close(): Promise<void>
}

const POLL_MS = 1_000
/** Far beyond what the database may take for a look. */
const LOST_MS = 60_000

/** Opens the data of a site; makes an empty one where there is none. @throws when the database cannot be opened */
export async function openData(options: DataOptions): Promise<KernelData> {
  const { log, now = () => Math.floor(Date.now() / 1000) } = options
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: PRIVATE_FOLDER })
  const owner = randomBytes(9).toString('base64url')

  const report = (what: string, error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    log('error', `${what}: ${message}`, { stack })
  }
  const faultListeners: ((fault: Fault) => void)[] = []
  const onFault = (fault: Fault) => {
    if (faultListeners.length === 0) report(`${fault.kind} ${fault.name} of ${fault.slug}`, fault.error)
    for (const listener of faultListeners) listener(fault)
  }
  const onError = (error: unknown) => report('Database', error)

  const configured = configuredDatabase(dataDir, options.databaseUrl)
  const fromEnvironment = Boolean(options.databaseUrl)
  const target = configured ?? defaultDatabase(dataDir)
  if (target.dialect === 'sqlite') refuseLostSite(dataDir, target, existsSync(target.file))
  const link: Link = { current: await openConfigured(target, fromEnvironment, onError, options.onStatement) }
  const file = link.current.config.dialect === 'sqlite' ? link.current.config.file : undefined
  for (const sentence of opennessOf(dataDir, file)) log('warn', sentence)
  const database = createDatabase(link, onError)
  const revisions = createRevisions(database, onError)
  const shared = { database, owner, leaseSeconds: options.leaseSeconds ?? 10, now, onFault }
  const outbox = createOutbox(shared)
  const jobs = createJobs(shared)
  const pushes = createPushes(database, owner)
  const settings = createSettings(database, revisions, onError)
  const site = createSite(database, revisions, options.siteUrl)
  const limits = createLimits(database, now)
  const once = createShortLived(database, now)
  const credentials = createCredentials({ database, revisions, outbox, limits, isLimited: options.rateLimits ?? true, now })
  const plugins = createPluginStates(database, revisions, owner, now)
  const nodes = createNodes(database, owner, shared.leaseSeconds)

  const bringTables = async (there: KernelDatabase): Promise<void> => {
    await createMigrationTable(there)
    await migrate(there, 'kernel', kernelMigrations, now)
  }

  async function takeUp(connection: Connection): Promise<void> {
    await revisions.look()
    await settings.load()
    await site.load()
    credentials.sessions.forget()
    if (options.passive) return
    if (connection.dialect === 'sqlite') await jobs.recover()
    await connection.listen((topic) => {
      if (pushes.receive(topic)) return
      const events = outbox.receive(topic)
      if (events === 'own') return
      database.changedElsewhere()
      if (events) return
      if (topic === 'jobs') jobs.wake()
      else void revisions.look().catch(onError)
    }, pushes.missed)
  }

  async function reopen(target: DatabaseTarget): Promise<void> {
    const before = link.current
    const next = await openTarget(target, onError, options.onStatement)
    try {
      // Before it is the current one: whoever asks meanwhile finds the kernel's tables, there or here.
      await bringTables(createDatabase({ current: next }, onError))
      link.current = next
      outbox.forget()
      revisions.forget()
      await takeUp(next)
    } catch (error) {
      link.current = before
      await next.close()
      throw error
    }
    await before.close()
  }

  await bringTables(database)
  await takeUp(link.current)
  try {
    refuseLostSite(dataDir, target, site.installed)
  } catch (error) {
    await link.current.close()
    throw error
  }
  if (site.installed && !options.passive) await rememberSite(dataDir)
  const mail = createMail({
    folder: join(dataDir, 'mail'),
    smtpUrl: options.smtpUrl,
    jobs,
    sends: !options.passive,
    settings,
    site,
    now,
    log,
  })
  const images = createImages(options.caller)
  const setup = createSetup({
    dataDir,
    configured: configured !== undefined,
    fromEnvironment,
    link,
    database,
    credentials,
    revisions,
    site,
    now,
    reopen,
    jobs,
  })

  const tick = async () => {
    await revisions.look()
    await database.look()
    if (options.passive) return
    await nodes.keepLease()
    await outbox.tick()
    await jobs.tick()
  }
  const looking = oneAtATime(() => database.outside(tick).catch(onError), LOST_MS)
  const poll = setInterval(looking.run, POLL_MS)
  poll.unref()

  if (!options.passive) {
    jobs.every('kernel', 'clean', 3600, async () => {
      await credentials.sessions.deleteExpired()
      await outbox.clean()
      await jobs.clean()
      await limits.clean()
      await once.clean()
      await mail.clean()
    })
  }

  return {
    get dialect() {
      return link.current.dialect
    },
    get readerConfig() {
      const { config, commits } = link.current
      return { ...config, ...(commits && { commits }) }
    },
    database,
    migrate: (slug, migrations, until) => migrate(database, slug, migrations, now, until),
    contractedBeyond: (slug, migrations) => contractedBeyond(database, slug, migrations),
    async erase(slug) {
      await erasePlugin(database, slug)
      await outbox.emit('kernel', erased, { slug })
    },
    hasDataOf: (slug) => hasDataOf(database, slug),
    slugsWithData: () => slugsWithData(database),
    credentials,
    settings,
    memberSettings: createMemberSettings(database),
    site,
    plugins,
    nodes,
    switches: createSwitchHistory(database),
    rescue: createRescueAccess(database, now),
    outbox,
    pushes,
    jobs,
    storage: createStorage(join(dataDir, 'uploads'), site),
    images,
    mail,
    limits,
    once,
    setup,
    onFacts(fn) {
      const ends = [settings.onChange(fn), site.onChange(fn)]
      return () => {
        for (const end of ends) end()
      }
    },
    onFault: (fn) => void faultListeners.push(fn),
    gauges: (slugs, now) => readGauges(database, slugs, now),
    async settled() {
      await outbox.settled()
      await jobs.settled()
      await outbox.settled()
    },
    async close() {
      clearInterval(poll)
      await looking.settled()
      await images.close()
      await mail.close()
      await outbox.close()
      await jobs.close()
      if (!options.passive) await nodes.leave().catch(onError)
      await link.current.close()
    },
  }
}
