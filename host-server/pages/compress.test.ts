import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressSoon } from './compress.ts'

const MEGABYTE = 1024 * 1024

describe.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a document as %s', (encoding, open) => {
  it.each([
    ['short', Buffer.from('<p>短</p>'.repeat(100))],
    ['usual', Buffer.from('<p>a page</p>'.repeat(5_000))],
    ['that cannot be made smaller', randomBytes(100_000)],
    ['so large that it is done beside', Buffer.from('<p>a long page</p>'.repeat(30_000))],
  ])('is what it was: one that is %s', async (_, body) => {
    const compressed = await compressSoon(body, encoding, 3)
    expect(open(compressed).equals(body)).toBe(true)
  })

  it('leaves nothing behind that waits for the collector', async () => {
    const body = Buffer.from('<p>a page</p>'.repeat(5_000))
    const before = process.memoryUsage().arrayBuffers
    for (let count = 0; count < 500; count++) await compressSoon(body, encoding, 3)
    // Node's encoders would keep 8 MB of pieces, and each of ours is 64 KB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * MEGABYTE)
  })
})
