import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const RUNS = 8
const program = fileURLToPath(new URL('fixtures/run-taps.ts', import.meta.url))

it('what a run of taps knew is gone with the next collection of young objects', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, String(RUNS)])
  expect(Number(stdout)).toBeLessThan(RUNS / 2)
})
