import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { RunAtOnce } from '@stoa/sdk/kernel'
import { AT_ONCE } from '@stoa/sdk/kernel'
import type { Columns } from '@stoa/sdk/server'
import SqliteFile from 'better-sqlite3'
import { Kysely, SqliteDialect, SqliteQueryCompiler } from 'kysely'
import { LRUCache } from 'lru-cache'
import { createPrivate } from '../../shared/private-files.ts'
import type { Connection, OnStatement } from './connection.ts'
import { SharedCommits } from './shared-commits.ts'
import type { KernelTables } from './tables.ts'
import { timed } from './timed.ts'
import { noteStatement } from './written.ts'

/**
 * A bare parameter beside `=` or `limit` lets SQLite wonder whether another value would deserve another plan, and better-sqlite3 takes all values back
 * after each run: together that is a new plan with each run (measured: an eighth of what reads cost). A sign in front changes nothing but that.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

class Dialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler()
  }
}

const NOTHING = 'select 1'
/** Everything else is left to a handle that refuses what changes something. */
const READS = /^\s*select\b/i
const MOST_PREPARED = 500

type Prepare = (text: string) => SqliteFile.Statement
function prepareOnce(file: SqliteFile.Database): Prepare {
  const prepared = new LRUCache({ max: MOST_PREPARED, memoMethod: (text: string) => file.prepare(text) })
  return (text) => prepared.memo(text)
}

/** The handle's queue and promises cost more than most reads do (measured: 15 µs of 25), and nothing that only reads needs an order. */
function atOnce(prepare: Prepare, onStatement?: OnStatement): RunAtOnce {
  const run: RunAtOnce = (sql, parameters) => {
    const statement = prepare(sql)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }
  if (!onStatement) return run
  return (sql, parameters) => {
    const since = performance.now()
    let failed = true
    try {
      const rows = run(sql, parameters)
      failed = false
      return rows
    } finally {
      onStatement(performance.now() - since, failed)
    }
  }
}

/** A Kysely over one SQLite handle whose statements are compiled once. Not for streaming: a statement is shared. */
function kyselyOver(file: SqliteFile.Database, prepare: Prepare, onStatement?: OnStatement): Kysely<KernelTables> {
  // Where the disk is full SQLite has undone everything itself; to ask again would fail, and hide why.
  const isUndone = (text: string) => text.startsWith('rollback') && !file.inTransaction
  return new Kysely<KernelTables>({
    ...timed(onStatement),
    dialect: new Dialect({
      database: {
        // A deferred transaction fails at once when another process wrote between its first read and its first write.
        prepare: (text) => prepare(text === 'begin' ? 'begin immediate' : isUndone(text) ? NOTHING : text) as never,
        close: () => file.close(),
      },
    }),
  })
}

/**
 * Rows of each index that its statistics are made of. With the some hundred of SQLite's own `optimize` a column of three values looks as telling as a
 * person's number, and is taken instead (measured: 77 ms for one person's answers, not 0.1). All of 100,000 posts with 10,000: 0.2 s.
 */
const ANALYZED_ROWS = 10_000

/** Makes the statistics anew of tables that have grown much since the last time. */
function analyze(file: SqliteFile.Database): void {
  file.pragma(`analysis_limit = ${ANALYZED_ROWS}`)
  for (const { optimize } of file.pragma('optimize(-1)') as { optimize: string }[]) file.exec(optimize)
}

const flushed = promisify(fdatasync)

/** Whoever calls while `work` runs waits for the next run, all for the same one. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const run = work()
      running = run.catch(() => undefined)
      return run
    })
    return next
  }
}

export interface SqliteReader {
  kysely: Kysely<KernelTables>
  /** Another number after every commit of what pages may show, by whatever connection or process; 2 µs as long as nothing at all is committed. */
  version(): number
  /** The same, but after one of this site only where it may have written these columns; undefined while one is about to. */
  versionOf(columns: Columns): number | undefined
  /** What is read from here on sees one state of the file, until `release`: a look at it for each statement costs more than some of them. */
  hold(): void
  release(): void
  /** Frees the pages that are kept. */
  shrink(): void
  close(): void
}

/** The count of changes. Prepared with the first look: the kernel's tables may come later than the connection. */
function changesOf(file: SqliteFile.Database): () => number {
  let counting: SqliteFile.Statement<[], number> | undefined
  return () => {
    counting ??= file.prepare<[], number>('select coalesce(sum(n), 0) from kernel__change').pluck()
    return counting.get() as number
  }
}

/** Jobs, sessions and cursors of events are committed all the time, and no page shows them: then the count of changes stays what it is. */
function versionsOf(file: SqliteFile.Database, commits: SharedCommits | undefined) {
  const ofFile = file.prepare<[], number>('pragma data_version').pluck()
  const changes = changesOf(file)
  let seen = Number.NaN
  let version = Number.NEGATIVE_INFINITY
  /** Of what was remembered before this one nobody knows whether it is as it was. */
  let since = 0
  /** The state that is held has been looked at. */
  let isKnown = false
  let isHeld = false

  function look(): number {
    if (isKnown) return version
    const now = ofFile.get() as number
    if (now !== seen) {
      const counted = changes()
      if (!commits?.areOwn(version, counted)) since = counted
      version = counted
      seen = now
    }
    isKnown = isHeld
    return version
  }

  return {
    version: look,
    versionOf(of: Columns): number | undefined {
      const now = look()
      const last = commits ? commits.lastOf(of, now) : now
      return last === undefined ? undefined : Math.max(last, since)
    },
    hold(held: boolean): void {
      isHeld = held
      isKnown = false
    },
  }
}

interface ReaderOptions {
  onStatement?: OnStatement | undefined
  /** A statement of another handle that is to be run instead, where there is one. */
  elsewhere?(text: string): SqliteFile.Statement | undefined
  /** What the site writes; without, all that is remembered of some columns falls with each commit. */
  commits?: SharedCommits | undefined
}

/**
 * Read-only handle for the main thread or a read worker. The file must exist.
 */
export function openSqliteReader(path: string, { onStatement, elsewhere, commits }: ReaderOptions = {}): SqliteReader {
  const file = new SqliteFile(path, { readonly: true, fileMustExist: true })
  file.pragma('busy_timeout = 5000')
  file.pragma('query_only = on')
  // Nothing is mapped: that would count once more with each connection, and random posts of 100,000 are read 15 % quicker by this (measured; twice the
  // cache saves nothing either).
  file.pragma('mmap_size = 0')
  file.pragma('cache_size = -6000')
  file.pragma('temp_store = memory')
  const own = prepareOnce(file)
  const prepare: Prepare = (text) => elsewhere?.(text) ?? own(text)
  const [begin, commit] = [file.prepare('begin'), file.prepare('commit')]
  const { version, versionOf, hold } = versionsOf(file, commits)
  return {
    hold() {
      begin.run()
      hold(true)
    },
    release() {
      hold(false)
      if (file.inTransaction) commit.run()
    },
    kysely: Object.assign(kyselyOver(file, prepare, onStatement), { [AT_ONCE]: atOnce(prepare, onStatement) }),
    version,
    versionOf,
    shrink: () => void file.pragma('shrink_memory'),
    close: () => file.close(),
  }
}

/**
 * Opens the site's file for one writer and one reader. A commit alone leaves the log to the system (`synchronous = normal`), so that the main thread
 * never waits for the disk; what `durable` resolved for survives a loss of power. Commits that wait at the same time share one flush.
 */
export function openSqlite(path: string, onStatement?: OnStatement): Connection {
  // What SQLite puts beside the file gets its mode.
  createPrivate(path)
  const file = new SqliteFile(path)
  file.pragma('busy_timeout = 5000')
  file.pragma('journal_mode = wal')
  file.pragma('synchronous = normal')
  // The usual 2 MB make a large transaction write its pages out and read them back over and over; twice this saves nothing (measured: 50,000 posts seeded,
  // and 800 written a second to 100,000).
  file.pragma('cache_size = -8000')
  file.pragma('foreign_keys = on')
  file.pragma('temp_store = memory')
  // The log appears with the first write, and stays the same file while this connection is open.
  file.exec('begin immediate; commit')
  const log = openSync(`${path}-wal`, 'r+')
  const durable = shared(() => flushed(log))
  const prepared = prepareOnce(file)
  const prepare: Prepare = (text) => {
    noteStatement(text)
    return prepared(text)
  }
  // With every commit a reader drops the pages it has kept; the writer has them, those that it wrote itself too (measured: a tag by its name after a commit
  // in 8 µs, not 15).
  const read = prepareOnce(file)
  const elsewhere = (text: string) => (!file.inTransaction && READS.test(text) ? read(text) : undefined)
  const reader = openSqliteReader(path, { onStatement, elsewhere })
  const commits = new SharedCommits()
  const changes = changesOf(file)
  return {
    dialect: 'sqlite',
    config: { dialect: 'sqlite', file: path },
    commits: commits.memory,
    writer: kyselyOver(file, prepare, onStatement),
    writeAtOnce: atOnce(prepare, onStatement),
    reader: reader.kysely,
    version: reader.version,
    announce: (marks) => commits.announce(changes(), marks),
    // SQLite itself prepares a statement anew when its tables have changed.
    renewStatements() {},
    trimMemory() {
      file.pragma('shrink_memory')
      reader.shrink()
    },
    durable,
    async listen() {},
    async close() {
      // What could not be flushed here is flushed, or refused, by the checkpoint below.
      await durable().catch(() => {})
      closeSync(log)
      reader.close()
      analyze(file)
      file.pragma('wal_checkpoint(truncate)')
      file.close()
    },
  }
}
