/** Whom passkeys of a site are bound to: its host, and the origin that pages must have. */
export interface Place {
  host: string
  origin: string
}

/** @param url address of the site @returns undefined where browsers allow no passkeys: without https (but for localhost), and for a bare IP address */
export function placeOf(url: string): Place | undefined {
  const { protocol, hostname, origin } = URL.parse(url) ?? {}
  if (!hostname || !origin || /^\[|^[\d.]+$/.test(hostname)) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || (protocol === 'http:' && isLocal) ? { host: hostname, origin } : undefined
}
