import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import SqliteFile from 'better-sqlite3'
import { createPrivate } from '../../shared/private-files.ts'
import type { ReaderConfig } from './connection.ts'

/**
 * Writes the whole database into a new file, as of one moment, while others read and write: an SQLite file that can take the place of the
 * site's, or what `pg_restore` reads. For its owner's eyes only.
 * @throws with one sentence for the operator
 */
export async function dumpDatabase(source: ReaderConfig, file: string): Promise<void> {
  // Before anything is in it.
  createPrivate(file)
  if (source.dialect === 'sqlite') {
    const database = new SqliteFile(source.file, { readonly: true })
    try {
      database.prepare('vacuum into ?').run(file)
    } catch (error) {
      rmSync(file, { force: true })
      throw error
    } finally {
      database.close()
    }
  } else {
    const url = new URL(source.url)
    // What stands in a command can be read by everybody on the machine.
    const env = { ...process.env, ...(url.password && { PGPASSWORD: decodeURIComponent(url.password) }) }
    url.password = ''
    try {
      await promisify(execFile)('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${url.href}`], { env })
    } catch (error) {
      rmSync(file, { force: true })
      const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string }
      if (code === 'ENOENT') throw new Error('A database on PostgreSQL is dumped by its own "pg_dump", which is not installed here.')
      throw new Error(stderr?.trim().split('\n')[0] || message)
    }
  }
}
