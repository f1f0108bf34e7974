/**
 * Rows of a page and how many there are in all. Where the page itself shows the end of the list, nothing is counted.
 * @param page reads its rows
 * @param count counts all of them
 */
export async function countedPage<R>(
  { size, offset }: { size: number; offset: number },
  page: () => Promise<R[]>,
  count: () => Promise<number>,
): Promise<{ rows: R[]; count: number }> {
  const rows = await page()
  const showsEnd = rows.length < size && (rows.length > 0 || offset === 0)
  return { rows, count: showsEnd ? offset + rows.length : await count() }
}
