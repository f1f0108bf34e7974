import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Folders below `parent` that hold a manifest. */
export function pluginsIn(parent: string): string[] {
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(folder, 'plugin.json')))
}

/** What `plugin.json` calls itself, whether or not it is right; empty where there is no name. */
export function slugIn(folder: string): string {
  try {
    return basename((JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as { slug: string }).slug)
  } catch {
    return ''
  }
}
