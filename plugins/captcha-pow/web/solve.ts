import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Work } from '../shared/puzzle.ts'

/** Numbers that are tried before the page may do something else: some ten milliseconds. */
const AT_ONCE = 2000

const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

/**
 * Finds the number, from 0 on. In plain code: the browser's own digest is missing on sites without HTTPS, and waiting for each of its promises takes
 * longer than the digest.
 * @param onProgress the share that was tried @returns undefined when it is given up or there is none
 */
export async function solve({ challenge, salt, maxnumber }: Work, signal: AbortSignal, onProgress: (share: number) => void) {
  for (let number = 0; number <= maxnumber; number++) {
    if (number % AT_ONCE === 0) {
      onProgress(number / maxnumber)
      await pause()
      if (signal.aborted) return undefined
    }
    if (bytesToHex(sha256(utf8ToBytes(`${salt}${number}`))) === challenge) return String(number)
  }
  return undefined
}
