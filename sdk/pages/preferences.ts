import { parseCookie } from 'cookie'

/** Language and scheme of documents: read by the server too, so they are cookies. */
export const LANGUAGE_COOKIE = 'stoa_lang'
export const SCHEME_COOKIE = 'stoa_scheme'

/** A cookie's value, decoded; as it was sent where it cannot be decoded. @param header `a=1; b=2` */
export const readCookie = (header: string | undefined, name: string): string | undefined => parseCookie(header ?? '')[name]

/** `light`, `dark` or `system`. The person's own choice counts unless it is "default"; then the site's; then the system. */
export function chooseScheme(own: string | undefined, site: string | undefined): string {
  for (const choice of [own, site]) if (choice === 'light' || choice === 'dark' || choice === 'system') return choice
  return 'system'
}

export const isOwnChoice = (value: string | undefined): value is string => Boolean(value) && value?.toLowerCase() !== 'default'
