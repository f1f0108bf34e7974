import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MOST_ENDS, openRunRecord } from './run-record.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'stoa-run-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** A process of its own that opens the record and then does this. @returns what it said of the one before, once it has ended */
async function run(body: string, port = 3000): Promise<{ endsTooOften: boolean; endedByMemory?: string; endedStarting?: object }> {
  const file = new URL('./run-record.ts', import.meta.url).href
  const code = `
    import { openRunRecord } from ${JSON.stringify(file)}
    const run = openRunRecord(${JSON.stringify(dataDir)}, ${port})
    process.stdout.write(JSON.stringify(run) + '\\n')
    ${body}`
  const child = spawn(process.execPath, ['--max-old-space-size=48', '--max-semi-space-size=1', '--input-type=module', '--eval', code], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
  })
  await once(child, 'close')
  return JSON.parse(text.split('\n')[0] as string)
}

const abort = 'process.abort()'
/** Keeps more and more, in steps that let others run, as a site does that is asked for too much: 3 MB between two looks, of the 7 that are called short. */
const hog = `const kept = []; setInterval(() => { kept.push(Array.from({ length: 6_000 }, () => ({}))) }, 30)`

describe('a process that ended unexpectedly', () => {
  it('again and again, is a reason for safe mode; once it has left as it should, it is none', async () => {
    for (let n = 0; n < MOST_ENDS; n++) expect(await run(abort)).toMatchObject({ endsTooOften: false })
    expect(await run('run.close()')).toMatchObject({ endsTooOften: true })
    expect(await run('run.close()')).toMatchObject({ endsTooOften: false })
  }, 60_000)

  it('because memory ran out is none, and the next one knows it', async () => {
    await run(hog)
    for (let n = 0; n < MOST_ENDS; n++) {
      const said = await run(hog)
      expect(said.endsTooOften).toBe(false)
      expect(said.endedByMemory).toMatch(/^\d+ of \d+ MB \(heap\)$/)
    }
  }, 120_000)

  it('because memory ran out while a plugin was started is the fault of that plugin', async () => {
    await run(`run.starting({ slug: 'hog', generation: 'g1' }); ${hog}`)
    const said = await run('run.close()')
    expect(said).toMatchObject({ endedStarting: { slug: 'hog', generation: 'g1' } })
    expect(said.endedByMemory).toBeUndefined()
  }, 60_000)

  it('says nothing about another one on the same machine', async () => {
    for (let n = 0; n < MOST_ENDS; n++) await run(abort, 3000)
    const other = openRunRecord(dataDir, 3001)
    expect(other).toMatchObject({ endsTooOften: false, endedStarting: undefined })
    other.close()
  }, 60_000)
})
