import { existsSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { CheckContext, Commands, PluginCommand, StoredFileList } from '@stoa/sdk/commands'
import { loadBundle } from '../kernel/runtime/load-code.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import type { Operator } from './operator.ts'
import type { Command } from './operator-commands.ts'

/** What a plugin adds to the command line, in its folder. */
export const COMMANDS_FILE = 'commands.cjs'
/** As the command line takes them. */
const NAME = /^[a-z][a-z-]{0,30}$/

/** What a plugin that is on adds to the command line; its code may be sick. */
export interface Contributed {
  slug: string
  loaded: Commands | { problem: string }
}

/** Plugins that are on and say something to the command line, in order of their slugs. */
export function contributed(operator: Operator): Contributed[] {
  const isThere = (plugin: DiscoveredPlugin) => operator.isOn(plugin) && existsSync(join(plugin.folder, COMMANDS_FILE))
  return operator
    .plugins()
    .filter(isThere)
    .map((plugin) => ({ slug: plugin.manifest.slug, loaded: load(plugin) }))
    .sort((a, b) => a.slug.localeCompare(b.slug))
}

function load(plugin: DiscoveredPlugin): Contributed['loaded'] {
  try {
    return loadBundle<Commands>(plugin, COMMANDS_FILE)
  } catch (error) {
    return { problem: (error as Error)?.message ?? String(error) }
  }
}

/** Commands of plugins by name; of two the first counts. */
export function pluginCommands(operator: Operator): Map<string, { command: PluginCommand; run: Command }> {
  const all = new Map<string, { command: PluginCommand; run: Command }>()
  for (const { loaded } of contributed(operator)) {
    for (const [name, command] of 'problem' in loaded ? [] : Object.entries(loaded.commands ?? {}))
      if (NAME.test(name) && !all.has(name)) all.set(name, { command, run: asCommand(command) })
  }
  return all
}

const asCommand =
  (command: PluginCommand): Command =>
  async (operator, argument, { password, say }) => {
    const { credentials, database } = operator.data
    await command.run({
      ...checkContext(operator),
      argument,
      password,
      credentials,
      write: (fn) => database.ofPlugins.write(fn),
      say,
    })
  }

/** What checks see of the site. */
export const checkContext = ({ data }: Operator): CheckContext => ({
  db: data.database.query,
  now: Math.floor(Date.now() / 1000),
  files: storedFiles([data.storage.folder, data.storage.hiddenFolder]),
})

/** @param roots folders in which a file may lie under its path; one may lie in another, below a name with a dot */
function storedFiles(roots: readonly string[]): StoredFileList {
  const isFile = (file: string) =>
    stat(file).then(
      (found) => found.isFile(),
      () => false,
    )
  return {
    async has(path) {
      for (const root of roots) if (await isFile(join(root, path))) return true
      return false
    },
    async *below(folder) {
      for (const root of roots) {
        if (!existsSync(join(root, folder))) continue
        for await (const entry of await opendir(join(root, folder), { recursive: true })) {
          const file = join(entry.parentPath, entry.name)
          const found = entry.isFile() ? await stat(file).catch(() => undefined) : undefined
          if (found)
            yield {
              path: relative(root, file).split(sep).join('/'),
              bytes: found.size,
              changedAt: Math.floor(found.mtimeMs / 1000),
            }
        }
      }
    },
  }
}
