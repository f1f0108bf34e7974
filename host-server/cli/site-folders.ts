import { join, resolve } from 'node:path'
import type { Mode } from '@stoa/sdk/build'
// Not by the package: it brings the compiler, which whoever only asks where things lie would load too.
import { pluginsIn } from '../../sdk/build/plugin-source.ts'

const root = resolve(import.meta.dirname, '..', '..')

export interface BuildFolders {
  plugins: string
  core: string
  /** The server's own files. */
  host: string
}

/** Where things are built: what is served, and apart from it what `npm run dev` makes. */
export function buildFolders(mode: Mode): BuildFolders {
  const parent = join(root, 'build', mode === 'production' ? '' : 'dev')
  return { plugins: join(parent, 'plugins'), core: join(parent, 'core'), host: join(parent, 'host') }
}

/** Folders below `plugins/` that hold a manifest. */
export const pluginFolders = (): string[] => pluginsIn(join(root, 'plugins'))
