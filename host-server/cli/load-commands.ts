import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCurrentHost } from './host-build.ts'
import { buildFolders } from './site-folders.ts'

type Commands = typeof import('../commands.ts')

/** The commands as one file, which loads in a third of the time (measured: 590 ms against 220); their sources while what stands is not made of these. */
export const loadCommands = async (): Promise<Commands> =>
  isCurrentHost()
    ? ((await import(pathToFileURL(join(buildFolders('production').host, 'commands.mjs')).href)) as Commands)
    : await import('../commands.ts')
