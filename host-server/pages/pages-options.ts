import type { IncomingMessage } from 'node:http'
import type { CodedError, Person } from '@stoa/sdk'
import type { Listener, SiteInfo, Visit } from '@stoa/sdk/server'
import type { InsideReply, InsideRequest } from '../http/inside.ts'
import type { Measuring } from '../shared/measuring.ts'
import type { PluginSet } from '../shared/types.ts'

export interface PagesOptions {
  /** Folder that core was built into, with `web/`, `node/` and `texts/`. */
  coreDir: string
  /** Folder that the server itself was built into. */
  hostDir?: string | undefined
  /** Folder that gets links to its files for browsers, so that a build beside the running site takes none away. */
  coreFiles: string
  /** Served by `npm run dev`. */
  isDevelopment: boolean
  /** The thread that draws pages opens before the first is asked for. */
  isPrepared: boolean
  /** Milliseconds after which a page that is drawn is left to the browser. */
  pageMs: number
  /** Pages of one person or network that may wait to be made. */
  waitingOfOne: number
  /** A page that has not come after so many milliseconds waits for something slow, and holds up no other. */
  roomMs: number
  /** What is on now; for a request, what is on for it. */
  set(req?: IncomingMessage): PluginSet
  onSwitch(fn: (set: PluginSet) => void): () => void
  /** Runs a request through the kernel's router as the visitor with this language; resolves after the reply. */
  dispatch(request: InsideRequest): Promise<InsideReply>
  /** A larger number after every commit of something that a page may show. */
  changes(): Promise<number>
  /** Unix seconds. */
  now(): number
  /** `fn` runs after this process has taken over a change of settings or facts of the site. */
  onFacts(fn: () => void): () => void
  /** Live: read at each request. */
  site: Pick<SiteInfo, 'installed' | 'name' | 'language' | 'url' | 'isPrivate' | 'closure'>
  /** The `web` branch of a plugin's texts. */
  texts(slug: string, language: string): Record<string, unknown> | undefined
  languages(): { code: string; label: string }[]
  /** Whose request it is, for taking turns. */
  whoAsks(req: IncomingMessage, person: Person | null): string
  /** What an error says to people. */
  wordsOf(error: CodedError, language: string): string
  /** Tells plugins that somebody was given a rendered page. */
  served(req: IncomingMessage, visit: Pick<Visit, 'path' | 'person'>): void
  /** Whether somebody may hear pushes of this id and topic. */
  mayListen(set: PluginSet, id: string, listener: Listener): Promise<boolean>
  /** Hands on what plugins push. */
  onPush(fn: (push: { id: string; topic: string; payload: unknown }) => void): void
  readCookieSession(cookie: string | undefined): Promise<Person | null>
  measuring: Measuring
  log(level: 'info' | 'warn' | 'error', message: string, details?: object): void
  /** A plugin's contribution failed while a page was rendered. */
  onFault(slug: string, where: string, error: unknown): void
  /** A plugin's code did not come to an end while pages were drawn, and was ended. */
  onLoop(slug: string, where: string, seconds: number): void
  /** A plugin's code took all memory of the thread that draws pages, and was ended. */
  onFull(slug: string, where: string): void
}
