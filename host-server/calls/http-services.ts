import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Person } from '@stoa/sdk'
import type { Awaitable, RequestInfo, RouteLimit, SiteInfo } from '@stoa/sdk/server'
import type { Push } from '../data/events/pushes.ts'
import type { FaultBook } from '../kernel/faults/fault-book.ts'
import type { View } from '../kernel/runtime/view.ts'
import type { Measuring } from '../shared/measuring.ts'
import type { IncomingFiles } from './incoming-files.ts'

/** What the kernel lends to each plugin's routes. */
export interface HttpServices {
  site: SiteInfo
  authenticate(authorization: string | undefined): Awaitable<{ person: Person; token: string } | null>
  /** Who that is, where it is known without asking the database. */
  known(authorization: string): { person: Person; token: string } | null
  /** By the session's cookie: for documents, which browsers ask for by themselves. */
  authenticateBrowser(cookie: string | undefined): Promise<{ person: Person; token: string } | null>
  /** Somebody has used their session. */
  noteUse(token: string, place: { ip: string; userAgent: string }): void
  /** Answers with the page at the request's address. @returns false on a site without pages */
  page(req: IncomingMessage, res: ServerResponse): Promise<boolean>
  /** Where a request comes from, after trusted proxies. */
  addressOf(req: IncomingMessage): string
  /** @returns what ends it */
  onPush(fn: (push: Push) => void): () => void
  /** Pushes may have been lost. @returns what ends it */
  onPushesMissed(fn: () => void): () => void
  /** Any setting, of the site or of a plugin, is another one. @returns what ends it */
  onFacts(fn: () => void): () => void
  /** Composes a read wholly in a read worker; resolves to finished JSON in UTF-8. */
  readJson(view: View, lane: 'short' | 'slow', id: string, params: unknown, request: RequestInfo): Promise<Uint8Array>
  measuring: Measuring
  faults: Pick<FaultBook, 'charge' | 'slow' | 'well'>
  /** Refuses a body that the same person sent to the same path within 5 minutes; `forget` when the call failed. */
  duplicates: { take(key: string): Promise<boolean>; forget(key: string): Promise<void> }
  /** Refuses a flood of writes from one address, whatever plugins do. @throws `base.too_many_requests` */
  limitWrites(ip: string): Promise<void>
  /** Counts one call of a route's own limit. @throws `base.too_many_requests` */
  limit(slug: string, limit: RouteLimit, key: string): Promise<void>
  /** Files of multipart bodies. */
  incoming: IncomingFiles
  /** Milliseconds a handler may take before the caller gets a 504. */
  handlerTimeoutMs: number
  /** Refuses replies that are not of their schema: for development and tests, where somebody can mend them. */
  checkReplies: boolean
}
