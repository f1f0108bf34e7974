export const orders = ['relevance', 'newest', 'active', 'score'] as const
export type Order = (typeof orders)[number]

export const orderOf = (text: string | null): Order => orders.find((order) => order === text) ?? 'relevance'

/** Address of a page of results; what is usual is left out. */
export function searchPath(base: string, { q, order, page = 1 }: { q: string; order: Order; page?: number }): string {
  const query = new URLSearchParams({ q })
  if (order !== 'relevance') query.set('order', order)
  if (page > 1) query.set('page', String(page))
  return `${base}?${query}`
}

/**
 * Search engines once linked their snapshots as a search for `cache:<id>:<address>`.
 * @returns the path that was meant when the address is of this site
 */
export function snapshotPath(q: string, siteUrl: string): string | undefined {
  const address = /^cache:(?:[^:/]*:)?((?:https?:\/\/)?[^\s]+)/.exec(q)?.[1]
  if (!address || !siteUrl) return undefined
  try {
    const target = new URL(/^https?:/.test(address) ? address : `https://${address}`)
    return target.host === new URL(siteUrl).host ? target.pathname + target.search : undefined
  } catch {
    return undefined
  }
}

/** Path of a found post under the site's permalink setting (specification, SEO). */
export function postPath(
  permalink: number,
  { id, experience_id, url_title }: { id: string; experience_id: string; url_title: string },
): string {
  const titled = permalink === 2 || permalink === 4 ? '' : `/${url_title}`
  return `/experiences/${experience_id}${titled}${id === experience_id ? '' : `/${id}`}`
}
