const YEAR = 365 * 24 * 60 * 60

/** Keeps a preference for a year; undefined forgets it. */
export function writeCookie(name: string, value: string | undefined): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in some browsers we serve
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${value === undefined ? 0 : YEAR}`
}
