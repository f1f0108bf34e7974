import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Manifest } from '@stoa/sdk/manifest'
import { pluginFolders } from '../../host-server/cli/site-folders.ts'

export interface PluginFolder {
  slug: string
  folder: string
  manifest: Manifest
}

/** Every plugin of the repository, as its folder says. */
export const plugins: PluginFolder[] = pluginFolders().map((folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as Manifest
  return { slug: manifest.slug, folder, manifest }
})

/** Files of a plugin by pattern, relative path → content. */
export function filesOf({ folder }: PluginFolder, pattern: string): Map<string, string> {
  return new Map(globSync(pattern, { cwd: folder }).map((file) => [file, readFileSync(resolve(folder, file), 'utf8')]))
}

export interface Texts {
  /** Flat: `list.empty`. */
  web: Record<string, string>
  server: Record<string, string>
}

/** Texts of a folder in one language, both branches flat. */
export function textsOf(folder: string, language: string): Texts {
  const file = join(folder, 'locales', `${language}.json`)
  const { web = {}, server = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return { web: flat(web), server: flat(server) }
}

function flat(tree: Record<string, unknown>, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value as Record<string, unknown>, `${prefix}${key}.`))
        : [[`${prefix}${key}`, String(value)]],
    ),
  )
}
