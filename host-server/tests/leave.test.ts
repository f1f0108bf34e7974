import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

it('a signal that comes while a thread is busy loading, before there is somebody to drain, is heard by whoever drains then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-leave-'))
  const script = `
    const { leaveOnSignal } = await import(${module('../leave.ts')})
    const { openRunRecord } = await import(${module('../shared/run-record.ts')})
    process.on('SIGTERM', () => process.exit(7))
    process.kill(process.pid, 'SIGTERM')
    const starting = Promise.reject(new Error('did not start'))
    starting.catch(() => {})
    leaveOnSignal(starting, openRunRecord(${JSON.stringify(folder)}, 0), (...line) => console.log(...line))
    setTimeout(() => process.exit(9), 5_000)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toContain('Draining')
  rmSync(folder, { recursive: true })
})
