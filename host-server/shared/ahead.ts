import type { IncomingHttpHeaders } from 'node:http'

/** A browser asks before anybody wants to see it. */
export const isAhead = (headers: IncomingHttpHeaders): boolean =>
  `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`.includes('prefetch')
