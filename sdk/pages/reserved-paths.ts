import { protocol } from '../shared/index.ts'

/** Calls of the protocol lie below these two; everything else that starts with a reserved prefix is served by the kernel itself. */
export const API_PREFIX = `${protocol.public}/`
export const ADMIN_PREFIX = `${protocol.admin}/`

/** Prefixes of what the kernel answers itself. */
export const reserved = [
  protocol.root,
  '/installation/',
  '/uploads/',
  '/static/',
  '/stoa/',
  '/rescue',
  '/healthz',
  '/openapi.json',
  '/robots.txt',
  '/sitemap',
]

/** Addresses that are no pages: the browser goes there by itself. */
export const isReserved = (path: string): boolean => reserved.some((prefix) => path.startsWith(prefix))
