import { parseCookie } from 'cookie'

/** How documents look to a reader: read by the server too, so they are cookies. */
export const LANGUAGE_COOKIE = 'stoa_lang'
export const SCHEME_COOKIE = 'stoa_scheme'
export const LISTS_COOKIE = 'stoa_lists'
/** Where the reader is, as the browser says; only while the site has no zone of its own. */
export const ZONE_COOKIE = 'stoa_zone'

/** A cookie's value, decoded; as it was sent where it cannot be decoded. @param header `a=1; b=2` */
export const readCookie = (header: string | undefined, name: string): string | undefined => parseCookie(header ?? '')[name]

/** `light`, `dark` or `system`. The person's own choice counts unless it is "default"; then the site's; then the system. */
export function chooseScheme(own: string | undefined, site: string | undefined): string {
  for (const choice of [own, site]) if (choice === 'light' || choice === 'dark' || choice === 'system') return choice
  return 'system'
}

/** UTC stands for "not chosen". @param here what the browser says */
export const chooseZone = (own: unknown, site: string | undefined, here: string): string =>
  [own, site].find((zone): zone is string => typeof zone === 'string' && zone !== '' && zone !== 'UTC') ?? here

/** @param own what the reader chose; rows unless it is `cards` */
export const chooseLists = (own: string | undefined): 'rows' | 'cards' => (own === 'cards' ? own : 'rows')

export const isOwnChoice = (value: string | undefined): value is string => Boolean(value) && value?.toLowerCase() !== 'default'
