import type { RunRecord } from '../shared/run-record.ts'
import type { LogFunction } from '../shared/types.ts'

/**
 * Milliseconds that a plugin's code may take before it counts as failed; `pageMs`: a page that is drawn with the code of several. Of pages, and of calls
 * to each plugin, few are answered at a time: `waitingOfOne` of one person or network may wait, 30 KB each (measured), for who is refused comes again at
 * once, and costs more than who waits; what has not come after `roomMs` waits for something slow, and others begin.
 */
export const LIMITS = {
  handlerMs: 60_000,
  tapMs: 10_000,
  activateMs: 30_000,
  stuckMs: 5_000,
  pageMs: 5_000,
  roomMs: 250,
  waitingOfOne: 5_000,
}

export interface KernelOptions {
  dataDir: string
  /** 0: any free port. */
  port: number
  host: string
  databaseUrl?: string | undefined
  /** Folders that hold built plugins. `<dataDir>/plugins` is looked into as well. */
  pluginDirs: string[]
  /** Slugs kept for plugins that come with some version of the site: no package from outside may newly take one. */
  reservedSlugs?: readonly string[]
  /** Output of the core's build; without it the site has calls and no pages. */
  coreDir?: string | undefined
  /** Output of the server's own build; without it the same code runs from its sources, whose threads open more slowly. */
  hostDir?: string | undefined
  /** File that remembers between starts what was read of the plugins that came with the site; goes with `hostDir`, whose code read them. */
  packageMemory?: string | undefined
  /** Served by `npm run dev`: plugins and core are built anew while it runs. */
  isDevelopment?: boolean
  /** Default true. Without, the thread that draws pages opens with the first of them, as many a site of a test is asked for none. */
  preparesPages?: boolean
  /** This process opens site after site: what one has compiled serves the next. */
  keepsCompiled?: boolean
  siteUrl?: string | undefined
  smtpUrl?: string | undefined
  trustProxy: string[]
  /** Addresses or ranges that plugins may send requests to although they are not public. */
  outgoing?: string[]
  rateLimits: boolean
  /** Refuses replies that are not of their schema; always so in development. */
  checkReplies?: boolean
  /** Sets an empty site up at once. */
  install?:
    | {
        siteName: string
        language: string
        adminName: string
        adminEmail: string
        adminPassword: string
        /** Empty: what the owner logs in with is not for everybody to read. */
        contactEmail?: string
        isPrivate?: boolean
        extra?: Record<string, string>
      }
    | undefined
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
  trimsMemory?: boolean
  /** Milliseconds that a plugin's code may take. */
  limits?: Partial<typeof LIMITS>
  /** Only these (and what is essential to nobody else is left out), for tests of few plugins. */
  only?: string[]
}
