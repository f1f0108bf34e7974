import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Commands } from '@stoa/sdk/commands'
import type { Config } from '../../config.ts'
import { loadBundle } from '../../kernel/runtime/load-code.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { Operator } from '../operator.ts'
import { CommandError } from '../operator.ts'
import type { Command, CommandOptions } from '../operator-commands.ts'
import { COMMANDS_FILE } from '../plugin-commands.ts'
import { buildFolders } from '../site-folders.ts'
import { holdFiles } from './held-files.ts'
import type { ArchiveManifest } from './manifest.ts'
import { restore } from './restore.ts'
import { openSnapshot } from './snapshot.ts'
import { writeArchive } from './write-archive.ts'

export const named = (argument: string): string => resolve(process.env.INIT_CWD ?? '.', argument)

/** Tables that a plugin fills by itself; what does not load says nothing. */
function madeAgainBy(plugin: DiscoveredPlugin): readonly string[] {
  if (!existsSync(join(plugin.folder, COMMANDS_FILE))) return []
  try {
    return loadBundle<Commands>(plugin, COMMANDS_FILE).madeAgain ?? []
  } catch {
    return []
  }
}

const summary = ({ tables, files, madeAt }: ArchiveManifest) => ({
  tables: Object.keys(tables).length,
  rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
  ...{ files: files.count, bytes: files.bytes, made_at: madeAt },
})

function finish(manifest: ArchiveManifest, { json, say }: Pick<CommandOptions, 'json' | 'say'>, sentence: string): void {
  const counted = summary(manifest)
  if (json) say(JSON.stringify(counted, null, 2))
  else say(`${counted.rows} rows of ${counted.tables} tables and ${counted.files} files: ${sentence}`)
}

/** Writes a site into a new file, whether it runs or not. @throws CommandError when it cannot be written */
export async function exportSite(operator: Operator, dataDir: string, file: string, say: (text: string) => void): Promise<ArchiveManifest> {
  if (!operator.data.site.installed) throw new CommandError('The site is not set up yet: there is nothing to export.')
  if (existsSync(file)) throw new CommandError(`${file} is there already; name a file that is not.`)
  const plugins = new Map(operator.plugins().map((plugin) => [plugin.manifest.slug, madeAgainBy(plugin)]))
  const snapshot = await openSnapshot(operator.data.readerConfig)
  // Rows and files are of one moment as nearly as can be: files have no transaction.
  const files = await holdFiles(dataDir)
  try {
    return await writeArchive(file, { snapshot, files: files.folder, plugins, say })
  } catch (error) {
    throw new CommandError(`${file} was not written: ${(error as Error).message}`)
  } finally {
    await files.release()
    await snapshot.close()
  }
}

/** `stoa export <file>` */
export const exporting =
  (config: Config): Command =>
  async (operator, argument, options) => {
    const manifest = await exportSite(operator, config.dataDir, named(argument), options.json ? () => {} : options.say)
    finish(manifest, options, `${argument} holds the whole site, its secrets included. "stoa import" restores it.`)
  }

/** `stoa import <file>`: there is no site yet that could be opened. */
export async function importing(config: Config, argument: string, options: Pick<CommandOptions, 'json' | 'say'>): Promise<void> {
  const say = options.json ? () => {} : options.say
  const manifest = await restore(named(argument), { config, bundled: buildFolders('production').plugins, say })
  finish(manifest, options, 'the site is restored. "npm start" starts it; everybody logs in anew.')
}
