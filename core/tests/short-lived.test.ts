import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { webHooks } from '@stoa/sdk/web'
import { expect, it } from 'vitest'
import { runTaps } from '../kernel/run-taps.ts'
import type { TapsParts } from '../kernel/tap-parts.ts'

const MEGABYTE = 2 ** 20
const RUNS = 8

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
const held = () => process.memoryUsage().arrayBuffers / MEGABYTE

it('what a run of taps knew is gone with the next collection of young objects', async () => {
  const parts = { isServer: true, api: () => ({}), onFault() {} } as unknown as TapsParts
  const gone = new AbortController().signal
  const tap = { id: 'toy/tap', slug: 'toy', order: 0, gone, load: async () => () => undefined }
  const run = async () => {
    const page = new ArrayBuffer(MEGABYTE)
    await runTaps(parts, webHooks.structuredData, [tap], { data: {} }, { onLate: () => void page }, () => gone)
  }
  await run()
  collect()
  const before = held()
  for (let n = 0; n < RUNS; n++) {
    await run()
    collect({ type: 'minor' })
  }
  // Buffers are given back by the collection after the one that finds them.
  collect({ type: 'minor' })
  collect({ type: 'minor' })
  expect(held() - before).toBeLessThan(RUNS / 2)
})
