import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Compiled, Mode } from '@stoa/sdk/build'
import { finishCore, staleCore } from '../../core/build.ts'
import type { Parts } from '../../rspack.config.ts'
import { finishPlugins, stalePlugins } from '../../sdk/build/build-plugins.ts'
import { finishHost, staleHost } from './host-build.ts'
import { oneBuild } from './one-build.ts'
import type { BuildFolders } from './site-folders.ts'
import { buildFolders, pluginFolders } from './site-folders.ts'

export interface SiteBuild {
  mode: Mode
  /** Builds also what has not changed. */
  force?: boolean
  /** Folders of the plugins; default those below `plugins/`. */
  folders?: string[]
  /** Default {@link buildFolders}. */
  out?: BuildFolders
}

/**
 * Builds the browser core, the server's own files and every plugin that changed since its last build.
 * @returns what was built, by name; empty when everything stood already
 * @throws when something cannot be built; the message lists every error
 */
export async function buildSite(options: SiteBuild): Promise<string[]> {
  const out = options.out ?? buildFolders(options.mode)
  return await oneBuild(dirname(out.core), () => buildParts({ force: false, folders: pluginFolders(), ...options, out }))
}

async function buildParts({ mode, force, folders, out }: Required<SiteBuild>): Promise<string[]> {
  const core = staleCore(mode, out.core, force)
  const host = staleHost(out.host, force)
  const stale = await stalePlugins({ folders, out: out.plugins, mode, force })
  const compiled = await compileParts({ mode, core: core && out.core, host: host && out.host, plugins: stale.tasks })
  const { built, fresh, failed, warnings } = await finishPlugins(stale, compiled, out.plugins)
  if (core) await finishCore(mode, out.core, core, compiled)
  if (host) finishHost(out.host, host, compiled)
  if (failed.length > 0) {
    throw new Error(failed.flatMap(({ folder, errors }) => errors.map((error) => `plugins/${basename(folder)}: ${error}`)).join('\n'))
  }
  for (const { slug, text } of warnings) console.warn(`plugins/${slug}: ${text}`)
  prune(out.plugins, [...built, ...fresh])
  return [...(core ? ['core'] : []), ...(host ? ['host'] : []), ...built]
}

/** Builds the browser core, when it changed. @returns whether it did */
export async function buildCore(mode: Mode, out: string): Promise<boolean> {
  const stale = staleCore(mode, out)
  if (stale) await finishCore(mode, out, stale, await compileParts({ mode, core: out, plugins: [] }))
  return stale !== undefined
}

/** The compiler is large: a start that has nothing to build does not load it. */
async function compileParts(parts: Parts): Promise<Map<string, Compiled>> {
  if (!parts.core && !parts.host && parts.plugins.length === 0) return new Map()
  const [{ compile }, { configurations }] = await Promise.all([import('../../sdk/build/compile.ts'), import('../../rspack.config.ts')])
  return compile(configurations(parts))
}

/** Takes away what was built from folders that are gone, and what builds that were ended have left. */
function prune(folder: string, slugs: string[]): void {
  for (const name of readdirSync(folder)) {
    const isLeft = name.startsWith('.') ? name.startsWith('.stage-') : !slugs.includes(name)
    if (isLeft) rmSync(join(folder, name), { recursive: true })
  }
}
