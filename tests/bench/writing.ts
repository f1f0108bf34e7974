import type { ChildProcess } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import type { Written } from './load-worker.ts'
import type { Measured } from './measure.ts'
import { measureRounds, WARM_LONG } from './measure.ts'
import { start, startServer, startSiteWorker } from './processes.ts'
import { ADMIN } from './seeded-site.ts'

const BUDGETS = { post: 0.3, whole: 0.5 }

interface Surroundings {
  launch(starting: ChildProcess | Promise<ChildProcess>): Promise<ChildProcess>
  port: number
  rounds: number
}

export const WRITING = 'write a post'

/**
 * Posts written through the API, with everything that listens to it, beside a bare insert in one transaction: of the post with its text and tags
 * alone, and of all the rows that a post has at the end. Both are on the disk when they are answered. Works on copies, so that what others
 * measure stays the same.
 */
export async function measureWriting(dataDir: string, { launch, port, rounds }: Surroundings): Promise<Measured[]> {
  const copy = `${dataDir}-written`
  rmSync(copy, { recursive: true, force: true })
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !basename(path).startsWith('stoa.db') })
  await copyDatabase(join(dataDir, 'stoa.db'), join(copy, 'stoa.db'))
  await copyDatabase(join(dataDir, 'stoa.db'), join(copy, 'bare.db'))
  try {
    const sides = {
      ours: { url: `http://127.0.0.1:${port}`, process: await launch(startSiteWorker([copy, String(port)])) },
      bare: {
        url: `http://127.0.0.1:${port + 1}`,
        process: await launch(startServer('bare-writer.ts', [join(copy, 'bare.db'), String(port + 1)])),
      },
      load: await launch(start('load-worker.ts')),
    }
    const authorization = await signIn(sides.ours.url)
    const tag = await anyTag(sides.ours.url)
    const one = (path: string, seconds: number) => ({ paths: [path], written: { authorization, tag } satisfies Written, seconds })
    // In shorter rounds what listens to a post has not begun.
    const ours = { ...one('/answer/api/v1/experience', 2), warm: WARM_LONG }
    return [
      await measureRounds(WRITING, { ours, bare: one('/post', 1) }, sides, rounds, BUDGETS.post),
      await measureRounds(`${WRITING}, with all its rows`, { ours, bare: one('/whole', 1) }, sides, rounds, BUDGETS.whole),
    ]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

export async function copyDatabase(from: string, to: string): Promise<void> {
  const db = new Database(from, { readonly: true })
  await db.backup(to)
  db.close()
}

export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/answer/api/v1/user/login/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ e_mail: ADMIN.email, pass: ADMIN.password }),
  })
  const { data } = (await response.json()) as { data: { access_token: string } }
  return data.access_token
}

export async function anyTag(url: string): Promise<string> {
  const { data } = (await (await fetch(`${url}/answer/api/v1/tags/page?page=1&page_size=1`)).json()) as {
    data: { list: { slug_name: string }[] }
  }
  return (data.list[0] as { slug_name: string }).slug_name
}
