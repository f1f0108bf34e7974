import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { BroadcastChannel, Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const THREADS = 4
const ROUNDS = 20

/** Starts a thread that gives its memory back with the site. */
const follower = `
  const { parentPort } = require('node:worker_threads')
  import(${JSON.stringify(new URL('./idle-memory.ts', import.meta.url).href)}).then(({ trimMemoryWithSite }) => {
    trimMemoryWithSite(() => setImmediate(() => parentPort.postMessage('trimmed')))
    parentPort.on('message', () => {})
    parentPort.postMessage('ready')
  })`

it('threads that give their memory back at the same moment do not stand in each other’s way', async () => {
  const failed: unknown[] = []
  let said = 0
  const workers = Array.from({ length: THREADS }, () => new Worker(follower, { eval: true }))
  for (const worker of workers) worker.on('message', () => said++).on('error', (error) => failed.push(error))
  const all = async (count: number) => expect.poll(() => said + failed.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count)
  await all(THREADS)
  const channel = new BroadcastChannel('stoa.trimMemory')
  try {
    for (let round = 0; round < ROUNDS && failed.length === 0; round++) channel.postMessage('trim')
    await all(THREADS * (ROUNDS + 1)).catch(() => undefined)
    expect(failed).toEqual([])
    expect(said).toBe(THREADS * (ROUNDS + 1))
  } finally {
    channel.close()
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
})

it('a thread that begins after memory was given back once begins as any other', async () => {
  setFlagsFromString('--expose-gc')
  const worker = new Worker(follower, { eval: true })
  try {
    const [said] = await once(worker, 'message')
    expect(said).toBe('ready')
  } finally {
    await worker.terminate()
  }
})
