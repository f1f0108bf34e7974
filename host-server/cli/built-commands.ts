import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { staleHost } from './host-build.ts'
import { buildFolders } from './site-folders.ts'

type Commands = typeof import('../commands.ts')

/** The commands as one file; undefined while what stands is not made of these sources. It loads in a third of their time (measured: 590 ms against 220). */
export async function builtCommands(): Promise<Commands | undefined> {
  const { host } = buildFolders('production')
  return staleHost(host) === undefined ? ((await import(pathToFileURL(join(host, 'commands.mjs')).href)) as Commands) : undefined
}
