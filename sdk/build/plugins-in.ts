import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folders below `parent` that hold a manifest. */
export function pluginsIn(parent: string): string[] {
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(folder, 'plugin.json')))
}
