import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from '@stoa/sdk/server'
import type { Config } from '../config.ts'
import type { ReaderConfig } from '../data/db/connection.ts'
import { dumpDatabase } from '../data/db/dump.ts'
import { configuredDatabase, defaultDatabase, openConfigured } from '../data/site/setup.ts'
import { loadBundle } from '../kernel/runtime/load-code.ts'
import type { Operator } from './operator.ts'
import { CommandError } from './operator.ts'
import type { CommandOptions } from './operator-commands.ts'

type Steps = (Migration & { name: string })[]

const RETURN = {
  sqlite: 'To go back, stop the site and put that file in the place of "stoa.db", without the files that end in "-wal" and "-shm".',
  postgres: 'To go back, restore it with "pg_restore --clean" into the database, while the site is stopped.',
}

/** `20261123-132000`, of the machine's own time: for people who look for the file. */
function stamp(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`
  return `${day}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`
}

/** @returns a file that is not there yet: whoever upgrades twice within a second has two copies */
function freeFile(folder: string, name: string, ending: string): string {
  for (let n = 1; ; n++) {
    const file = join(folder, `${name}${n === 1 ? '' : `-${n}`}.${ending}`)
    if (!existsSync(file)) return file
  }
}

/** `votes/0001-ballots` of everything that ever ran, without changing anything; nothing where no site was ever installed. */
async function stepsThatRan(target: ReaderConfig, fromEnvironment: boolean): Promise<string[] | undefined> {
  const connection = await openConfigured(target, fromEnvironment, () => {})
  try {
    const tables = await connection.reader.introspection.getTables()
    if (!tables.some(({ name }) => name === 'kernel__migration')) return undefined
    const rows = await connection.reader.selectFrom('kernel__migration').select(['slug', 'name']).orderBy('slug').orderBy('name').execute()
    return rows.map(({ slug, name }) => `${slug}/${name}`)
  } finally {
    await connection.close()
  }
}

/**
 * `stoa upgrade`: saves the database, and then brings its tables to what this version of the kernel and of the plugins that are on needs. Steps after which
 * an older version could not run are left to the start of the site.
 * @param open opens the site, which brings the kernel's own tables along
 * @throws CommandError when the database cannot be saved; nothing was changed then
 */
export async function upgrade(config: Config, open: () => Promise<Operator>, { say }: Pick<CommandOptions, 'say'>): Promise<void> {
  const { dataDir, databaseUrl } = config
  const target = configuredDatabase(dataDir, databaseUrl) ?? defaultDatabase(dataDir)
  if (target.dialect === 'sqlite' && !existsSync(target.file))
    throw new CommandError(`STOA_DATA is "${dataDir}", where there is no site yet; there is nothing to upgrade.`)
  const stepsNow = () => stepsThatRan(target, databaseUrl !== undefined)
  const ran = await stepsNow()
  if (!ran) throw new CommandError('The database is empty: no site was installed in it yet, so there is nothing to upgrade.')
  const before = new Set(ran)
  const folder = join(dataDir, 'backups')
  const file = freeFile(folder, `before-upgrade-${stamp(new Date())}`, target.dialect === 'sqlite' ? 'db' : 'dump')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await dumpDatabase(target, file)
  } catch (error) {
    throw new CommandError(`The database could not be saved, so nothing was changed: ${(error as Error).message}`)
  }
  const back = `The database as it was is in ${file}. ${RETURN[target.dialect]}`
  let site: Operator | undefined
  try {
    site = await open()
    for (const plugin of site.plugins().filter((one) => site?.isOn(one))) {
      const { migrations } = plugin.manifest.build
      if (migrations) await site.data.migrate(plugin.manifest.slug, loadBundle<Steps>(plugin, migrations), 'expanded')
    }
    const steps = ((await stepsNow()) ?? []).filter((step) => !before.has(step))
    if (steps.length === 0) {
      rmSync(file)
      say('The database fits this version already; nothing was changed.')
      return
    }
    for (const step of steps) say(`  ${step}`)
    say(`${steps.length === 1 ? 'One step' : `${steps.length} steps`} brought the database to this version. ${back}`)
  } catch (error) {
    throw new CommandError(`The upgrade stopped: ${(error as Error).message}\n${back}`)
  } finally {
    await site?.close()
  }
}
