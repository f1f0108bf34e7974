import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** Runs `stoa` as an operator does, on the site of `env`; exit code, output and errors. */
export async function runStoa(args: string[], env: Record<string, string>): Promise<{ code: number | null; out: string; errors: string }> {
  const { STOA_DATA: _, DATABASE_URL: __, ...outer } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'host-server/cli/run.mjs'), 'stoa', ...args], {
    env: { ...outer, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, out, errors }
}
