import { join, resolve } from 'node:path'
import type { Mode } from '@stoa/sdk/build'
// Not by the package: it brings what builds, which whoever only asks where things lie would load too.
import { pluginsIn } from '../../sdk/build/plugins-in.ts'

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

/** File of what a server has read of the plugins; it goes when that server is built anew. */
export const packageMemoryIn = ({ host }: BuildFolders): string => join(host, 'packages.json')

/** Folders below `plugins/` that hold a manifest. */
export const pluginFolders = (): string[] => pluginsIn(join(root, 'plugins'))
