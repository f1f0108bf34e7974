import { resolve } from 'node:path'
import type { Compiled } from '@stoa/sdk/build'
import { buildNote, digestOfParts } from '../../sdk/build/input-hash.ts'
import { buildFolders } from './site-folders.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** What decides what is written; the version of the sdk stands in its package. */
const parts = [
  'host-server',
  'sdk/package.json',
  ...['administration', 'build', 'commands', 'kernel', 'legacy', 'pages', 'schema', 'seed', 'server', 'shared'].map(
    (part) => `sdk/${part}`,
  ),
]

/** What the server's files in `out` have to be made of, as a note; undefined when what stands is made of it. @param force says that it is not */
export const staleHost = (out: string, force = false): string | undefined => buildNote(out).stale(digestOfParts(root, parts), force)

/** Whether what is served is made of the present sources. */
export const isCurrentHost = (): boolean => staleHost(buildFolders('production').host) === undefined

/** Notes what it was made of. @throws with all messages when it does not compile */
export function finishHost(out: string, inputs: string, compiled: Map<string, Compiled>): void {
  buildNote(out).remove()
  const { errors = [] } = compiled.get('host') ?? {}
  if (errors.length > 0)
    throw new Error(`The server does not build:\n${errors.map((error) => `${error.moduleName ?? ''} ${error.message}`).join('\n')}`)
  buildNote(out).write(inputs)
}
