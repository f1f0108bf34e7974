import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { CheckoutCopy } from './checkout-copy.ts'

export interface DevProcess {
  url: string
  /** Everything it wrote until now. */
  printed(): string
  stop(): void
  /** Asks npm to end, as a terminal or a supervisor does. Resolves when nothing of it is left. */
  end(): Promise<void>
}

/** A developer's shell: none of what the test run has set for itself. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_(ENV|OPTIONS|PATH)|STOA_|npm_(?!config_)|INIT_CWD|TEST$|MODE$|PROD$|DEV$)/.test(name),
  )
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { STOA_TEST_PG, STOA_CHROMIUM } = process.env
  return { ...Object.fromEntries(own), PATH, ...(STOA_TEST_PG && { STOA_TEST_PG }), ...(STOA_CHROMIUM && { STOA_CHROMIUM }) }
}

/** `npm run dev` in a copy of the checkout: a site that sets itself up, in English, on any free port. Resolves when it serves. */
export async function startDev(copy: CheckoutCopy): Promise<DevProcess> {
  const lines: string[] = []
  const printed = () => lines.join('')
  const child = spawn('npm', ['run', 'dev'], {
    cwd: copy.folder,
    detached: true,
    env: {
      ...cleanEnvironment(),
      PORT: '0',
      HOST: '127.0.0.1',
      STOA_DATA: join(copy.parent, 'data'),
      STOA_LANG: 'en_US',
      STOA_ADMIN_NAME: 'owner',
      STOA_ADMIN_EMAIL: 'owner@example.org',
      STOA_ADMIN_PASSWORD: 'Owner12345',
    },
  })
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        lines.push(String(data))
        const [, found] = /Ready at (http\S+?)[;,\s]/.exec(printed()) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`npm run dev ended:\n${printed()}`)))
  })
  const isThere = () => {
    try {
      return process.kill(-(child.pid as number), 0)
    } catch {
      return false
    }
  }
  const end = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
    await expect.poll(isThere, { timeout: 30_000 }).toBe(false)
  }
  return { url, printed, stop, end }
}
