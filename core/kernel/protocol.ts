/** Calls of the protocol lie below these two; everything else that starts with a reserved prefix is served by the kernel itself. */
export const API_PREFIX = '/answer/api/v1/'
export const ADMIN_PREFIX = '/answer/admin/api/'

const reserved = [
  '/answer/',
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
