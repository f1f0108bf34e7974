import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Mode } from '@stoa/sdk/build'
import { buildPlugins } from '@stoa/sdk/build'
import { buildCore } from '../../core/build.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Where things are built: what is served, and apart from it what `npm run dev` makes. */
export function buildFolders(mode: Mode): { plugins: string; core: string } {
  const parent = join(root, 'build', mode === 'production' ? '' : 'dev')
  return { plugins: join(parent, 'plugins'), core: join(parent, 'core') }
}

/** Folders below `plugins/` that hold a manifest. */
export function pluginFolders(): string[] {
  const parent = join(root, 'plugins')
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(folder, 'plugin.json')))
}

export interface SiteBuild {
  mode: Mode
  force?: boolean
  /** Folders of the plugins; default those below `plugins/`. */
  folders?: string[]
  /** Default {@link buildFolders}. */
  out?: { plugins: string; core: string }
}

/**
 * Builds the browser core and every plugin that changed since its last build.
 * @returns what was built, by name; empty when everything stood already
 * @throws when something cannot be built; the message lists every error
 */
export async function buildSite({ folders = pluginFolders(), out, ...options }: SiteBuild): Promise<string[]> {
  const { plugins, core } = out ?? buildFolders(options.mode)
  const coreIsNew = await buildCore({ out: core, ...options })
  const { built, fresh, failed } = await buildPlugins({ folders, out: plugins, ...options })
  if (failed.length > 0) {
    throw new Error(failed.flatMap(({ folder, errors }) => errors.map((error) => `plugins/${basename(folder)}: ${error}`)).join('\n'))
  }
  prune(plugins, [...built, ...fresh])
  return coreIsNew ? ['core', ...built] : built
}

/** Takes away what was built from folders that are gone. */
function prune(folder: string, slugs: string[]): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('.') && !slugs.includes(name)) rmSync(join(folder, name), { recursive: true })
  }
}
