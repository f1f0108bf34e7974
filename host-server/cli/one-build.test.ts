import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { oneBuild } from './one-build.ts'

const folder = mkdtempSync(join(tmpdir(), 'stoa-build-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('runs two builds of one folder one after the other, also after one that failed', async () => {
  const seen: string[] = []
  const build = (name: string) =>
    oneBuild(folder, async () => {
      seen.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(`${name} ends`)
      if (name === 'first') throw new Error('does not build')
    })
  const [first, second] = await Promise.allSettled([build('first'), build('second')])
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
  expect(seen).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

it('does not wait for a process that is gone', async () => {
  const code = `import { oneBuild } from ${JSON.stringify(join(import.meta.dirname, 'one-build.ts'))}
    await oneBuild(${JSON.stringify(folder)}, async () => { console.log('held'); await new Promise((resolve) => setTimeout(resolve, 600_000)) })`
  const other = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(other.stdout, 'data')
  let isOurs = false
  const ours = oneBuild(folder, async () => {
    isOurs = true
  })
  expect(isOurs).toBe(false)
  other.kill('SIGKILL')
  await ours
  expect(isOurs).toBe(true)
})
