import type { SiteInfo } from './plugin.ts'

/** `Cache-Control` of a reply that is the same for all who may read the site. Caches that serve many keep nothing of a private one. */
export const cachedFor = (seconds: number, { isPrivate }: Pick<SiteInfo, 'isPrivate'>): string =>
  isPrivate ? 'private, no-store' : `public, max-age=${seconds}`
