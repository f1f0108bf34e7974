import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'

/** Last line of the seed. */
export interface Seeded {
  posts: number
  search: Record<string, string>
}

/** Who administers the seeded site. */
export const ADMIN = { email: 'admin@example.org', password: 'bench-password' }

const ROOT = resolve(import.meta.dirname, '..', '..')

/** A site with so many posts below `build/`; filled once, later runs measure the same data. @throws when the seed fails */
export async function seededSite(posts: number): Promise<{ dataDir: string; seeded: Seeded }> {
  const dataDir = join(ROOT, 'build', `bench-${posts}`)
  const note = join(dataDir, 'seeded.json')
  if (!existsSync(note)) {
    rmSync(dataDir, { recursive: true, force: true })
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(note, await seed(dataDir, posts))
  }
  return { dataDir, seeded: JSON.parse(readFileSync(note, 'utf8')) as Seeded }
}

async function seed(dataDir: string, posts: number): Promise<string> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    STOA_DATA: dataDir,
    STOA_LANG: 'zh_CN',
    STOA_SITE_NAME: 'Bench',
    STOA_ADMIN_NAME: 'admin',
    STOA_ADMIN_EMAIL: ADMIN.email,
    STOA_ADMIN_PASSWORD: ADMIN.password,
  }
  for (const name of ['PORT', 'HOST', 'DATABASE_URL', 'SMTP_URL', 'STOA_SITE_URL', 'STOA_RATE_LIMITS', 'STOA_TRUST_PROXY']) delete env[name]
  const run = join(ROOT, 'host-server', 'cli', 'run.mjs')
  const child = spawn(process.execPath, [run, 'seed', '--posts', String(posts)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The seed ended with ${code}`)
  return output.trim().split('\n').at(-1) as string
}

/** Running numbers of open posts, spread over all. */
export function openPosts(dataDir: string, count: number): number[] {
  const db = new Database(join(dataDir, 'stoa.db'), { readonly: true })
  try {
    const next = db
      .prepare<number[], number>('select id from experiences__post where id >= ? and +status = 1 and show = 1 order by id limit 1')
      .pluck()
    const last = db.prepare<[], number>('select max(id) from experiences__post').pluck().get() as number
    const found = Array.from({ length: count }, (_, index) => next.get(1 + Math.floor((index * last) / count)))
    return [...new Set(found.filter((n) => typeof n === 'number'))]
  } finally {
    db.close()
  }
}
