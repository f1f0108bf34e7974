/** A row under decoration: `kind`, `n` and `authorId` for joins, `view` is what goes out and is filled in place. */
export interface Decorated<V> {
  /** Kind name from the `plugin.json` of its owner. */
  kind: string
  /** Running number within the kind. */
  n: number
  authorId: number
  view: V
}

/** Part of a list, as the protocol has it. */
export interface Page<T> {
  /** Of all that match, not of this page. */
  count: number
  list: T[]
}

/** Highest number of rows in one reply, whatever is asked. */
export const MOST_PER_PAGE = 100

/** Rows of a page, for `limit` and `offset`. @param query pages count from 1 */
export function rowsOfPage({ page, page_size }: { page: number; page_size: number }): { size: number; offset: number } {
  const size = Math.min(page_size, MOST_PER_PAGE)
  return { size, offset: (page - 1) * size }
}
