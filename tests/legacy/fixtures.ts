import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, 'fixtures')

const named = (slug: string): string => {
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz') && name.includes(`-${slug}-`))
  if (file === undefined) throw new Error(`No package of ${slug} is kept`)
  return join(folder, file)
}

/** A package as it was packed with sdk 1.0.0. */
export const packedThen = (slug: string): File => new File([readFileSync(named(slug))], `${slug}.tgz`)

/** The same code as another version of it. */
export function packedAs(slug: string, version: string): File {
  const work = mkdtempSync(join(tmpdir(), 'stoa-legacy-'))
  try {
    execFileSync('tar', ['-xzf', named(slug), '-C', work])
    for (const name of ['plugin.json', 'package.json']) {
      const file = join(work, 'package', name)
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }))
    }
    const archive = join(work, 'again.tgz')
    execFileSync('tar', ['-czf', archive, '-C', work, 'package'])
    return new File([readFileSync(archive)], `${slug}-${version}.tgz`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * What the renderer of then would have made of the first post, had its text been one that today's makes another one of; and of the second, had only
 * its excerpt been another one.
 */
const WRITTEN_THEN = `update experiences__body set content = '>! folded', html = '<blockquote><p>! folded</p></blockquote>' where post_id = 1;
update experiences__body set content = 'Train', html = '<p>Train</p>' where post_id = 2;
update experiences__post set excerpt = 'Train [1] Bring water. ↩︎' where id = 2`

/** Puts the site of then in place of an empty one. */
export async function restoreSite({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined }): Promise<void> {
  execFileSync('tar', ['-xzf', join(folder, 'sqlite-data.tgz'), '-C', dataDir, ...(databaseUrl ? ['plugins'] : [])])
  if (!databaseUrl) {
    const { default: Database } = await import('better-sqlite3')
    const database = new Database(join(dataDir, 'stoa.db'))
    database.exec(WRITTEN_THEN)
    database.close()
    return
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(gunzipSync(readFileSync(join(folder, 'postgres.sql.gz'))).toString())
    await client.query(`set search_path to public; ${WRITTEN_THEN}`)
  } finally {
    await client.end()
  }
}
