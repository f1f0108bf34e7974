import type { Expression, Kysely } from 'kysely'
import type { Credentials } from '../server/services.ts'

/**
 * What a plugin adds to the command line: default export of `server/commands.ts`. It runs in a process of its own, beside a site that serves or
 * while none does, and without the plugin's other code: a site that does not start is looked after too.
 *
 *     export default defineCommands({
 *       commands: { 'reset-password': { argument: 'email', help: 'gives somebody a new password', run: async ({ argument, say }) => … } },
 *       checks: [async ({ db }) => [{ level: 'wrong', text: '3 rows are lost.', advice: 'Restore them from a dump.' }]],
 *     })
 */
export interface Commands {
  /** By name: small letters and dashes. One that the kernel has itself, or a plugin before, is that one's. */
  commands?: Record<string, PluginCommand>
  /** Asked by `stoa doctor`. They change nothing. */
  checks?: Check[]
  /** Rows whose number other plugins keep. */
  counted?: Counted[]
  /** Numbers of rows of other plugins, or of its own, that it keeps: `stoa doctor` compares them, `stoa recount` sets them right. */
  kept?: KeptNumber[]
  /**
   * Names of its tables that it fills by itself from what others have stored, when they are empty: `stoa export` leaves them out. Full-text
   * indexes are left out anyway. After an import each subscription of the plugin is asked to `resync`.
   */
  madeAgain?: string[]
}

export interface PluginCommand {
  /** What its one argument is, in a word; none without. */
  argument?: string
  /** One line for `stoa help`. */
  help: string
  /** @throws an error whose message is one sentence for whoever typed the command; nothing was changed then */
  run(context: CommandContext): Promise<void>
}

/** Rows whose number others keep. */
export interface Counted {
  /** Name of these rows, by which the two sides find each other: it stands in the `shared/api.ts` of one of them and begins with its slug. */
  of: string
  /** One statement: the number for each object that has any, by its kind (its name in `plugin.json`) and running number. */
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  rows(db: Kysely<any>): Expression<{ kind: string; n: number; total: unknown }>
}

/** A column that keeps a number. Where the plugin that has the rows is off, nobody looks at it. */
export interface KeptNumber {
  of: string
  /** Of the objects in this table. */
  kind: string
  table: string
  /** Column with their running number. */
  key: string
  column: string
  /** Column with their kind, where the table names objects of several. */
  kindColumn?: string
  /** What it is the number of, for people, such as `votes of answers`. */
  name: string
}

export type Check = (context: CheckContext) => Promise<Finding[]>

/** What a check has to say; one that finds nothing says nothing, or what it has counted. */
export interface Finding {
  /** `well`: as it should be. `notice`: the site works, and its owner should know. `wrong`: something does not work, or is lost. */
  level: 'well' | 'notice' | 'wrong'
  /** One sentence. */
  text: string
  /** What to do about it: a sentence, or a command. */
  advice?: string
}

export interface CheckContext {
  /** For reading. */
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  db: Kysely<any>
  /** Unix seconds. */
  now: number
  files: StoredFileList
}

/** The stored files of the site, below `uploads` of its data directory; hidden ones are among them. */
export interface StoredFileList {
  has(path: string): Promise<boolean>
  /** Files in a folder and below; none where there is no such folder. */
  below(folder: string): AsyncIterable<{ path: string; bytes: number; changedAt: number }>
}

export interface CommandContext extends CheckContext {
  /** As it was typed; empty for a command without. */
  argument: string
  /** `--password`, where it was given. */
  password: string | undefined
  /** Runs in one transaction. */
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  write<R>(fn: (tx: Kysely<any>) => Promise<R>): Promise<R>
  credentials: Credentials
  /** Prints a line. */
  say(text: string): void
}

export function defineCommands(commands: Commands): Commands {
  return commands
}
