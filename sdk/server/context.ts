import type { Measures, PluginAdmin } from '../administration/index.ts'
import type { JobToken, Person, ReadToken } from '../shared/index.ts'
import { defineErrors } from '../shared/index.ts'
import type { Awaitable } from './route.ts'
import type { Credentials, Images, Mail, MemberSettings, Settings, Storage, Texts } from './services.ts'

// biome-ignore lint/suspicious/noExplicitAny: tokens of any type are taken here
type Any = any

/** The plugin itself. */
export interface PluginItself {
  readonly slug: string
  readonly version: string
  /** Aborted when the plugin stops. */
  readonly signal: AbortSignal
  /** The plugin's own settings (config form). */
  readonly settings: Settings
  /** What each member has chosen for the plugin (`memberSettings` of its manifest). */
  readonly memberSettings: MemberSettings
  /** Registers anything that must end with the plugin; last in, first out, each awaited. */
  own(dispose: () => Awaitable<void>): void
  /**
   * Runs `fn` when the plugin is on again after it was off, once and on one node, whatever happened meanwhile: for what hooks keep true while it is
   * on. Runs again when it throws, and when the plugin ends before it has.
   * @param fn `offSince` in unix seconds
   */
  onReturn(fn: (offSince: number) => Awaitable<void>): void
}

export interface ReadCall {
  /**
   * @param options `lane`: as a route of that lane would, in a read worker where there are some, so that it takes no time of others;
   * `otherwise`: what it resolves to when no active plugin has the function. Without it that is an error.
   */
  <P, R, O>(token: ReadToken<P, R>, params: P, options: { lane?: 'slow'; otherwise: O }): Promise<R | O>
  <P, R>(token: ReadToken<P, R>, params: P, options?: { lane: 'slow' }): Promise<R>
  /** Some active plugin has this read function. */
  has(token: ReadToken<Any, Any>): boolean
}

export interface Jobs {
  /** Handler of a job kind. */
  handle<P>(token: JobToken<P>, fn: (payload: P) => Awaitable<void>): void
  /** Queues a job in the current transaction. `runAt` in unix seconds; `key`: replaces a waiting job with it. */
  enqueue<P>(token: JobToken<P>, payload: P, options?: { runAt?: number; key?: string }): Promise<void>
  /** Runs `fn` every `seconds` on one node, first after one period. */
  every(name: string, seconds: number, fn: () => Awaitable<void>): void
}

/**
 * What a plugin keeps for a short time in the database of the site, the same on every node: proofs that work once, counts. All of it joins the current
 * transaction and is undone with it. Of a plugin at most 20,000 entries: those that end first make room.
 */
export interface Once {
  /**
   * Keeps a value, at most 8192 characters as JSON, in place of what was kept under the key.
   * @param options `group` and `most`: so many of the group at a time, such as of one visitor; those that end first make room
   */
  keep(key: string, value: unknown, options: { seconds: number; group?: string; most?: number }): Promise<void>
  /** Takes a value out: of several who ask at once, one gets it. @returns undefined where none is kept, or its time is over */
  take<T>(key: string): Promise<T | undefined>
  /** Counts one more. @returns how many there were since the first, this one too; `seconds` after the first it begins anew */
  count(key: string, options: { seconds: number }): Promise<number>
}

export interface Host {
  /** The request being served, or null outside of one (jobs, start-up). */
  request(): RequestInfo | null
  /** URL-safe random text of `bytes` random bytes. */
  random(bytes: number): string
  /** Limits an action: throws `base.too_many_requests` when `key` did it more than `max` times in `seconds`. Staff are exempt. */
  limit(action: string, options: { key: string | number; max: number; seconds: number }): Promise<void>
  /**
   * Sends a request to another server: the only way for what owners and members type in. Redirects are not followed.
   * @throws `error.outgoing.…` where the address is not public (and the operator has not allowed it), the reply too large or too slow, too many
   * requests wait for the host, or it gave no reply several times and is left alone for a while; else what the network says
   */
  fetch(url: string, options?: OutgoingRequest): Promise<Response>
  readonly once: Once
  readonly storage: Storage
  readonly images: Images
  readonly mail: Mail
  readonly texts: Texts
  readonly credentials: Credentials
  /**
   * Demands of staff more than a password (`setNeedsMore`): whoever has not set it up is `isHeldBack` while `isDemanded` says so. Asked at every
   * request of staff. Ends with the plugin.
   */
  holdBackStaff(isDemanded: () => boolean): void
  /** What active plugins contribute to a point in their `plugin.json`, in dependency order. */
  contributions<T>(point: string): readonly { slug: string; value: T }[]
  /** Kernel calls for the admin of plugins; refused to plugins that do not ask for `kernel.plugins` in their permissions. */
  readonly plugins: PluginAdmin
  /** Where time goes, and how the site is; refused to plugins that do not ask for `kernel.measures` in their permissions. */
  readonly measures: Measures
}

export interface OutgoingRequest {
  /** Default `GET`. */
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** Until the whole reply is there; default 10. */
  seconds?: number
  /** Of the reply; default 1 MiB. */
  maxBytes?: number
}

export const outgoingErrors = defineErrors('error.outgoing', {
  forbidden: { status: 502, message: 'No requests are sent to {host}' },
  large: { status: 502, message: 'The reply has more than {maxBytes} bytes' },
  busy: { status: 503, message: 'Too many requests to {host} wait for their turn' },
  resting: { status: 503, message: '{host} gave no reply several times; it is asked again in {seconds} seconds' },
  slow: { status: 504, message: 'The reply of {host} was not there after {seconds} seconds' },
})

export interface RequestInfo {
  id: string
  person: Person | null
  /** `zh_CN`, `en_US`, … */
  language: string
  /** Address of the client, after trusted proxies. */
  ip: string
  userAgent: string
  /** Value of the cookie by which a browser is known in which somebody signed in; undefined where there is none. */
  browser?: string | undefined
}
