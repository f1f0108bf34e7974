import { call, services } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** Pages of one kind of objects with running numbers. */
export interface Addresses {
  /** Stands in the addresses of its files: lower-case letters and `-`. */
  name: string
  /** Highest running number there is; 0 without any. */
  last(): Promise<number>
  /** Public pages of objects with numbers above `after`, up to `upTo`. `path` of this site; `changedAt` in Unix seconds. */
  between(after: number, upTo: number): Promise<{ path: string; changedAt: number }[]>
}
export const addresses = services<Addresses>('sitemap.addresses')

export const sitemapCalls = {
  index: call.get<typeof schemas.index>('/sitemap.xml'),
  part: call.get<typeof schemas.part>('/sitemap/:file'),
}
