import type { ErrorDisplay } from '@stoa/sdk'
import type { SiteInfo } from '@stoa/sdk/server'
import type { DiscoveredPlugin } from '../shared/types.ts'
import type { ReadCall } from './registry.ts'

/** Facts of the site and settings of plugins, copied to the workers whenever they change. */
export interface Snapshot {
  site: Pick<SiteInfo, 'url' | 'name' | 'language' | 'isPrivate' | 'closure'>
  settings: ReadonlyMap<string, Record<string, unknown>>
}

export type ToWorker =
  | { type: 'set'; viewKey: number; plugins: DiscoveredPlugin[] }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'ping' }
  | { type: 'forget'; viewKey: number }
  /** Several calls at once, each the JSON of a `SentCall`: text is handed over far quicker than objects. */
  | { type: 'calls'; ids: number[]; calls: string[] }

export type SentCall = [viewKey: number, name: string, params: unknown, call: ReadCall]

/** A coded error without its class. */
export interface SentError {
  code: string
  status: number
  message: string
  params: Record<string, unknown>
  data: unknown
  display: ErrorDisplay | undefined
  field: string | undefined
}

export type FromWorker =
  | { type: 'ready'; viewKey: number; error?: string; slug?: string }
  /** Its database is open. `thread`: see `ownThread` */
  | { type: 'open'; thread: number | undefined }
  | { type: 'pong' }
  /** `bytes` holds the JSON of each result in turn, `ends` where they end, `took` its milliseconds. */
  | { type: 'done'; ids: number[]; bytes: Uint8Array<ArrayBuffer>; ends: number[]; took: number[] }
  | { type: 'failed'; id: number; coded?: SentError; message: string; stack?: string; slug: string }
  | { type: 'fault'; slug: string; where: string; message: string; stack?: string }
  | { type: 'well'; slug: string; where: string }
