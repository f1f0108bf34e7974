import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'

const LOOK_MS = 200

/** Runs builds into one folder one after the other, whichever processes they are of. The lock is the system's: it ends with its process. */
export async function oneBuild<R>(folder: string, work: () => Promise<R>): Promise<R> {
  mkdirSync(folder, { recursive: true })
  const lock = new SqliteFile(join(folder, '.lock'), { timeout: 0 })
  try {
    while (!take(lock)) await sleep(LOOK_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function take(lock: SqliteFile.Database): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false
    throw error
  }
}
