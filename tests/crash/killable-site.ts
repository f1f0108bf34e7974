import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { recordFile } from '../../host-server/shared/run-record.ts'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'

const SERVER = join(import.meta.dirname, '../../host-server/tests/built-server.ts')
export const ADMIN = '/answer/admin/api'
export const API = '/answer/api/v1'

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  data: any
}

/** A site in a process of its own, on the database of this run, to be killed and started again. Ask for `remove` at the end. */
export async function killableSite() {
  const dataDir = mkdtempSync(join(tmpdir(), 'stoa-crash-'))
  mkdirSync(join(dataDir, 'plugins'))
  const database: TestDatabase | undefined =
    process.env.STOA_TEST_DATABASE === 'postgres' ? await createDatabase(process.env.STOA_TEST_PG as string) : undefined
  const site = {
    dataDir,
    /** Of PostgreSQL; without, the file is `stoa.db` in the data directory. */
    databaseUrl: database?.url,
    url: '',
    kill: async (): Promise<void> => undefined,
    start,
    call,
    signIn: async (e_mail = 'owner@example.org', pass = 'Owner12345'): Promise<string> =>
      (await call('POST', `${API}/user/login/email`, { e_mail, pass })).data.access_token,
    async remove() {
      await site.kill()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }

  /**
   * Starts the site as an operator does, who knows by whom it was killed: it is not to suspect what was installed.
   * @param killAfterMs kills it again, wherever it is by then
   */
  async function start(killAfterMs?: number): Promise<void> {
    rmSync(recordFile(dataDir, 0), { force: true })
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(STOA_|DATABASE_URL|SMTP_URL|PORT|HOST)/.test(name)))
    const child = spawn(process.execPath, [SERVER], {
      env: {
        ...clean,
        PORT: '0',
        HOST: '127.0.0.1',
        STOA_DATA: dataDir,
        STOA_RATE_LIMITS: 'off',
        STOA_LANG: 'en_US',
        STOA_ADMIN_NAME: 'owner',
        STOA_ADMIN_EMAIL: 'owner@example.org',
        STOA_ADMIN_PASSWORD: 'Owner12345',
        ...(database && { DATABASE_URL: database.url }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    site.kill = async () => {
      child.kill('SIGKILL')
      await gone
    }
    const ready = new Promise<string>((done) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
          const address = /Ready at (\S+)/.exec(output)?.[1]
          if (address) done(address)
        })
    })
    if (killAfterMs !== undefined) {
      await Promise.race([delay(killAfterMs), gone])
      return await site.kill()
    }
    const address = await Promise.race([ready, gone.then(() => '')])
    expect(address, output).not.toBe('')
    site.url = address
  }

  async function call(method: string, path: string, body?: unknown, token = ''): Promise<Reply> {
    const response = await fetch(site.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, data: ((await response.json()) as { data: unknown }).data }
  }

  return site
}
export type KillableSite = Awaited<ReturnType<typeof killableSite>>

/** Does `step` over and over until the site is gone. */
export async function until(gone: () => boolean, step: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; !gone(); n++) {
    try {
      await step(n)
    } catch {
      // The site went away in the middle: that is what this is about.
      await delay(5)
    }
  }
}
