import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { DatabaseChoice, SetupValues } from '@stoa/sdk/administration'
import { databaseErrors, installErrors } from '@stoa/sdk/kernel'
import SqliteFile from 'better-sqlite3'
import { isWithin, PRIVATE_FOLDER } from '../../shared/private-files.ts'
import { writeAtomically } from '../../shared/write-atomically.ts'
import type { Connection, Link, OnStatement } from '../db/connection.ts'
import { openPostgres, probePostgres } from '../db/postgres.ts'
import type { Revisions } from '../db/revisions.ts'
import { openSqlite } from '../db/sqlite.ts'
import type { KernelDatabase } from '../db/transactions.ts'
import { whyRefused } from '../db/why-refused.ts'
import type { KernelCredentials } from '../identity/credentials.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Site } from './site.ts'

/** Which database the site uses. */
export type DatabaseTarget = { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; url: string }

export interface KernelSetup {
  /** Proof that somebody can read the log; the same as long as the process lasts. */
  readonly code: string
  /** `configured`: the environment or the configuration file names a database. Without, the default file is open but holds nothing of the site. */
  state(): { configured: boolean; connected: boolean; installed: boolean }
  /** @throws `error.database.connection_failed` */
  check(choice: DatabaseChoice): Promise<void>
  /**
   * Writes the configuration file and moves to that database; listeners of `onReopen` run their migrations there.
   * @throws `error.install.already_installed`, `error.database.connection_failed`
   */
  init(choice: DatabaseChoice): Promise<void>
  /**
   * Stores site and first admin in one transaction with `inTransaction`.
   * @throws `error.install.already_installed` for the second of two, `error.config.read_config_failed` before `init`
   */
  finish(values: SetupValues, inTransaction: (values: SetupValues & { adminId: number }) => Promise<void>): Promise<void>
  /** `fn` runs in `init` after another database was opened and has the kernel's tables. */
  onReopen(fn: () => Promise<void>): void
}

interface ConfigFile {
  database?: DatabaseTarget
  /** A site was set up from here: a database without one is another, or a lost one, and nobody is to begin anew. */
  installed?: boolean
}

const configFileOf = (dataDir: string) => join(dataDir, 'config.json')

/** Reads where the database is: environment, then configuration file, then nothing. */
export function configuredDatabase(dataDir: string, databaseUrl: string | undefined): DatabaseTarget | undefined {
  if (databaseUrl) return { dialect: 'postgres', url: databaseUrl }
  const { database } = readConfigFile(dataDir)
  return database?.dialect === 'sqlite' ? { ...database, file: resolve(dataDir, database.file) } : database
}

/** @throws one sentence for the operator */
function readConfigFile(dataDir: string): ConfigFile {
  const file = configFileOf(dataDir)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ConfigFile
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as Error).message}); it must be the JSON that the installation wrote.`)
  }
}

const writeConfigFile = (dataDir: string, content: ConfigFile): Promise<void> =>
  writeAtomically(configFileOf(dataDir), `${JSON.stringify(content, null, 2)}\n`)

/** Notes that there is a site. */
export async function rememberSite(dataDir: string): Promise<void> {
  const content = readConfigFile(dataDir)
  if (!content.installed) await writeConfigFile(dataDir, { ...content, installed: true })
}

/**
 * @param isThere whether the database holds a site; a file that is gone does not
 * @throws one sentence for the operator when the site that was set up from here is not there
 */
export function refuseLostSite(dataDir: string, target: DatabaseTarget, isThere: boolean): void {
  if (isThere || !readConfigFile(dataDir).installed) return
  const name = target.dialect === 'sqlite' ? target.file : hidePassword(target.url)
  throw new Error(
    `A site was set up from "${dataDir}", and its database "${name}" is gone or empty; put it back, or remove ${configFileOf(dataDir)} to begin anew.`,
  )
}

const hidePassword = (url: string): string => url.replace(/(:\/\/[^:@/]*:)[^@/]*@/, '$1…@')

/** A file inside the data directory is named from there, so that the directory can be moved. */
function movable(target: DatabaseTarget, dataDir: string): DatabaseTarget {
  if (target.dialect !== 'sqlite') return target
  return isWithin(dataDir, target.file) ? { ...target, file: relative(dataDir, target.file) } : target
}

export const defaultDatabase = (dataDir: string): DatabaseTarget => ({ dialect: 'sqlite', file: join(dataDir, 'stoa.db') })

/** Opens what a target names. */
export async function openTarget(target: DatabaseTarget, onFault: (error: Error) => void, onStatement?: OnStatement): Promise<Connection> {
  if (target.dialect === 'postgres') return await openPostgres(target.url, onFault, onStatement)
  await mkdir(dirname(target.file), { recursive: true, mode: PRIVATE_FOLDER })
  return openSqlite(target.file, onStatement)
}

function targetOf(choice: DatabaseChoice, dataDir: string): DatabaseTarget {
  if (choice.type === 'sqlite3') {
    if (!choice.file) return defaultDatabase(dataDir)
    const file = resolve(dataDir, choice.file)
    // Whoever finds the wizard open chooses: nothing but what is the site's anyway.
    if (!isWithin(dataDir, file)) throw new Error('the file must lie in the data directory')
    return { dialect: 'sqlite', file }
  }
  const [user, password, name] = [choice.user, choice.password, choice.name].map((part) => encodeURIComponent(part ?? ''))
  return { dialect: 'postgres', url: `postgres://${user}:${password}@${choice.host ?? 'localhost'}/${name}` }
}

/** Looks at a target without leaving anything there. */
async function probe(target: DatabaseTarget): Promise<void> {
  if (target.dialect === 'postgres') return await probePostgres(target.url)
  if (existsSync(target.file)) {
    const file = new SqliteFile(target.file, { fileMustExist: true })
    file.pragma('schema_version')
    file.close()
    return
  }
  let folder = dirname(target.file)
  while (!existsSync(folder)) folder = dirname(folder)
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no directory`)
  await access(folder, constants.W_OK)
}

/** Why a database did not open; the driver keeps the reasons of several addresses apart and its own message empty. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string }
  return message || code || 'no answer'
}

/** Opens what is configured. @throws one sentence for the operator */
export async function openConfigured(
  target: DatabaseTarget,
  fromEnvironment: boolean,
  onFault: (error: Error) => void,
  onStatement?: OnStatement,
): Promise<Connection> {
  try {
    return await openTarget(target, onFault, onStatement)
  } catch (error) {
    const address = target.dialect === 'sqlite' ? target.file : hidePassword(target.url)
    const name = fromEnvironment ? 'DATABASE_URL' : 'The database'
    const right =
      target.dialect === 'sqlite' ? 'an SQLite file that can be written' : 'the address of a database on a running PostgreSQL server'
    throw new Error(`${name} is "${address}", which did not open (${reasonOf(error)}); it must be ${right}.`)
  }
}

async function refused<R>(attempt: () => Promise<R>): Promise<R> {
  try {
    return await attempt()
  } catch (error) {
    throw databaseErrors.connection_failed({ reason: reasonOf(error), why: whyRefused(error) }, { err_type: 'alert' })
  }
}

interface SetupOptions {
  dataDir: string
  configured: boolean
  fromEnvironment: boolean
  link: Link
  database: KernelDatabase
  credentials: KernelCredentials
  revisions: Revisions
  site: Site
  now: () => number
  /** Opens a target, brings the kernel's tables there and makes it the current one. */
  reopen: (target: DatabaseTarget) => Promise<void>
  jobs: Pick<Jobs, 'pause'>
}

/** From nothing to an installed site. */
export function createSetup({
  dataDir,
  configured,
  fromEnvironment,
  link,
  database,
  credentials,
  revisions,
  site,
  now,
  reopen,
  jobs,
}: SetupOptions): KernelSetup {
  let isConfigured = configured
  let onReopen = async () => {}

  return {
    code: makeCode(),
    state: () => ({ configured: isConfigured, connected: isConfigured, installed: site.installed }),
    check: (choice) => refused(async () => probe(targetOf(choice, dataDir))),
    async init(choice) {
      if (site.installed) throw installErrors.already_installed()
      // The environment wins: there is nothing to choose.
      if (fromEnvironment) return
      const target = await refused(async () => {
        const chosen = targetOf(choice, dataDir)
        await probe(chosen)
        return chosen
      })
      if (JSON.stringify(target) !== JSON.stringify(link.current.config)) {
        // Plugins bring their tables one after the other: no job may meet those of one before those of another.
        const goOn = await jobs.pause()
        try {
          await refused(() => reopen(target))
          await onReopen()
        } finally {
          goOn()
        }
      }
      await writeConfigFile(dataDir, { database: movable(target, dataDir) })
      isConfigured = true
    },
    async finish(values, inTransaction) {
      if (!isConfigured) throw installErrors.read_config_failed()
      await database.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('kernel__site')
          .set({ installed_at: now() })
          .where('id', '=', 1)
          .where('installed_at', '=', 0)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw installErrors.already_installed()
        const { id: adminId } = await credentials.create({
          login: values.adminEmail,
          password: values.adminPassword,
          role: 2,
          state: 'normal',
        })
        await site.set({ url: values.siteUrl, name: values.siteName, language: values.language, isPrivate: values.loginRequired })
        await inTransaction({ ...values, adminId })
        await revisions.raise('site')
      })
      await site.load()
      await rememberSite(dataDir)
    },
    onReopen(fn) {
      onReopen = fn
    },
  }
}

/** Letters and digits that are not taken for others. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

function makeCode(): string {
  const part = () => Array.from({ length: 4 }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return `${part()}-${part()}`
}
