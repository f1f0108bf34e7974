import { setTimeout } from 'node:timers/promises'

/** Items of one transaction: on SQLite all else of the node waits for it, 0.15 ms an item (measured: 1,000 at once held up every page for 150 ms). */
const PORTION = 25
const PAUSE_MS = 20

/**
 * Writes what waits, a portion at a time, with room for others between. What comes meanwhile waits for the next time; a portion that fails is lost.
 * @param waiting emptied from the front; @param isHurried leaves out the pauses
 */
export async function writeInPortions<K, V>(
  waiting: Map<K, V>,
  write: (portion: [K, V][]) => Promise<unknown>,
  isHurried: () => boolean,
): Promise<void> {
  for (let left = waiting.size; left > 0; left -= PORTION) {
    const portion: [K, V][] = []
    for (const entry of waiting) if (portion.push(entry) === Math.min(left, PORTION)) break
    for (const [key] of portion) waiting.delete(key)
    await write(portion)
    if (left > PORTION && !isHurried()) await setTimeout(PAUSE_MS)
  }
}
