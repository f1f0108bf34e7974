import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 20

/**
 * Writes what waits, a portion at a time, with room for others between. What comes meanwhile waits for the next time; a portion that fails is lost.
 * @param waiting emptied from the front; @param most items of a portion: on SQLite all else of the node waits for it; @param isHurried leaves out the pauses
 */
export async function writeInPortions<K, V>(
  waiting: Map<K, V>,
  write: (portion: [K, V][]) => Promise<unknown>,
  most: number,
  isHurried: () => boolean,
): Promise<void> {
  for (let left = waiting.size; left > 0; left -= most) {
    const portion: [K, V][] = []
    for (const entry of waiting) if (portion.push(entry) === Math.min(left, most)) break
    for (const [key] of portion) waiting.delete(key)
    await write(portion)
    if (left > most && !isHurried()) await setTimeout(PAUSE_MS)
  }
}
