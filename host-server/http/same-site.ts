import type { IncomingHttpHeaders } from 'node:http'

/** Whether a page of this very site sent it, which browsers say of every form. Who says nothing of it is no such page. */
export function isOfThisSite({ origin, host, 'sec-fetch-site': from }: IncomingHttpHeaders, siteUrl: string): boolean {
  if (from !== undefined && from !== 'same-origin') return false
  if (origin === undefined) return from !== undefined
  return URL.canParse(origin) && [host, URL.parse(siteUrl)?.host].includes(new URL(origin).host)
}

const BASE = 'http://site'

/** @returns path, query and part of an address of this site; undefined for every other */
export function pathOfThisSite(address: string, from = '/'): string | undefined {
  const url = URL.parse(address, BASE + from)
  // Two slashes at the front would name a host.
  if (url?.origin !== BASE || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
