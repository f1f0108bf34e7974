/**
 * Rows in the order of their numbers, `size` at a time: for all that somebody has, of which nobody knows how much it is.
 * @param page rows with a number above `after`, in its order, at most `limit`
 */
export async function* batches<R extends { id: number }>(
  size: number,
  page: (after: number, limit: number) => Promise<R[]>,
): AsyncGenerator<R[], void, undefined> {
  for (let after = 0; ; ) {
    const rows = await page(after, size)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}
