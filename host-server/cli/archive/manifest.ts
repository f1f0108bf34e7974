import { createHash } from 'node:crypto'

/** Raised when an older Stoa could not read what is written. */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'

/**
 * Tables that belong to one machine or one moment: who is logged in, which processes run, what was counted against limits, which statements have
 * run. The database that an archive is restored into makes its own.
 */
export const NOT_CARRIED: ReadonlySet<string> = new Set(
  ['migration', 'session', 'rescue', 'node', 'hit', 'change'].map((name) => `kernel__${name}`),
)

/** Stands last in an archive: one that was cut off has none. */
export interface ArchiveManifest {
  format: number
  /** Version of the sdk that wrote it. */
  stoa: string
  /** Unix seconds. */
  madeAt: number
  dialect: 'sqlite' | 'postgres'
  /** Steps that have run, by plugin; the kernel's are under `kernel`. */
  migrations: Record<string, string[]>
  /** `lastId`: the highest number that was ever given, 0 where none counts. `sha256` is that of all lines, one after another. */
  tables: Record<string, { rows: number; sha256: string; lastId: number }>
  /** `sha256` is that of path, NUL, the file's own in hex and a line feed, of each file as they follow. */
  files: { count: number; bytes: number; sha256: string }
  /** Plugins of which tables were left out because they make them again. */
  madeAgain: string[]
}

/** A running SHA-256. */
export const hasher = () => createHash('sha256')

export const fileLine = (path: string, sha256: string): string => `${path}\0${sha256}\n`

/** Bytes are no text of JSON. */
export const packed = (_: string, value: unknown): unknown => {
  const bytes = value as { type?: unknown; data?: number[] } | null
  return bytes?.type === 'Buffer' && Array.isArray(bytes.data) ? { base64: Buffer.from(bytes.data).toString('base64') } : value
}

export const unpacked = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'base64' in value ? Buffer.from(String(value.base64), 'base64') : value
