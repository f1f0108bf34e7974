import type { RunAtOnce } from '@stoa/sdk/kernel'
import type { Kysely } from 'kysely'
import type { KernelTables } from './tables.ts'

/** Hears how long a statement took, and whether it failed. */
export type OnStatement = (ms: number, failed: boolean) => void

/** What a read worker needs to open the database for itself. `commits`: as of {@link Connection} */
export type ReaderConfig = { dialect: 'sqlite'; file: string; commits?: SharedArrayBuffer } | { dialect: 'postgres'; url: string }

/**
 * One open database. Reader and writer have connections of their own: on SQLite a read must not see what an open transaction
 * has written (while none is open it runs where the writer keeps its pages), and on PostgreSQL statements that stand alone share a few. The reader takes no
 * transactions.
 */
export interface Connection {
  readonly dialect: 'sqlite' | 'postgres'
  /** Where it is. */
  readonly config: ReaderConfig
  /** Memory of `SharedCommits`, in which the writer tells what it commits; SQLite only. */
  readonly commits?: SharedArrayBuffer
  readonly writer: Kysely<KernelTables>
  readonly reader: Kysely<KernelTables>
  /** Runs a statement of the writer's open transaction past what a handle does for others; only where the database answers without waiting. */
  readonly writeAtOnce?: RunAtOnce
  /** Count of what pages may show; SQLite only, where that is known without a statement as long as nothing is committed. */
  version?(): number
  /**
   * Tells the read workers what the writer's open transaction has written, last before it is committed; SQLite only, where these see a commit by themselves.
   * @returns takes it back: it was not committed
   */
  announce?(marks: Iterable<string>): () => void
  /** Tables have changed: what was prepared before is prepared anew, on every connection. */
  renewStatements(): void
  /** Frees what is kept for speed alone; SQLite only. */
  trimMemory?(): void
  /** Resolves once everything committed before the call is on the disk. @throws when the disk refuses */
  durable(): Promise<void>
  /**
   * Calls `fn` with the topic of every `notify` on any node; PostgreSQL only, a no-op elsewhere.
   * @param onGap it listens again after it did not: whatever was said meanwhile was missed
   */
  listen(fn: (topic: string) => void, onGap: () => void): Promise<void>
  close(): Promise<void>
}

/** The connection in use; replaced when the installer chooses another database. */
export interface Link {
  current: Connection
}
