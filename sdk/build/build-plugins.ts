import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { shareKeys } from '../shared/share-keys.ts'
import type { Compiled } from './compile.ts'
import type { Task } from './finish.ts'
import { finish, isFresh, readable } from './finish.ts'
import type { Digests } from './input-hash.ts'
import { inputHash } from './input-hash.ts'
import type { Mode } from './mode.ts'
import { slugIn } from './plugins-in.ts'

export interface BuildOptions {
  /** Absolute folders of plugins, each with a `plugin.json`. */
  folders: string[]
  /** Absolute folder that gets one folder per slug. */
  out: string
  mode: Mode
  /** Builds also what has not changed. */
  force?: boolean
}

export interface BuildResult {
  built: string[]
  /** Left alone, because nothing they depend on has changed. */
  fresh: string[]
  /** What stood before stays. */
  failed: { folder: string; errors: string[] }[]
  /** Of what was built. */
  warnings: { slug: string; text: string }[]
}

/** Plugins that have to be built. */
export interface Stale extends Omit<BuildResult, 'built' | 'warnings'> {
  tasks: Task[]
}

/** Builds plugins that are stale, all in one go; a failing one does not keep the others from being built. */
export async function buildPlugins(options: BuildOptions): Promise<BuildResult> {
  const stale = await stalePlugins(options)
  // The compiler is large: a start that has nothing to build does not load it.
  if (stale.tasks.length === 0) return await finishPlugins(stale, new Map(), options.out)
  const [{ compile }, { pluginConfigs }] = await Promise.all([import('./compile.ts'), import('./plugin-configs.ts')])
  return await finishPlugins(stale, await compile(stale.tasks.flatMap((task) => pluginConfigs(task, options.mode))), options.out)
}

/** What of the plugins has to be built; a configuration for each task is to be compiled before {@link finishPlugins}. */
export async function stalePlugins({ folders, out, mode, force = false }: BuildOptions): Promise<Stale> {
  const stale: Stale = { tasks: [], fresh: [], failed: [] }
  const stages = stagesIn(out)
  rmSync(stages, { recursive: true, force: true })
  const digests: Digests = new Map()
  for (const folder of folders) {
    const neighbours = folders.filter((other) => other !== folder)
    const hash = inputHash(folder, neighbours, { mode, shareKeys }, digests)
    // What stands and is made of the same was found right then.
    const standing = slugIn(folder)
    if (!force && isFresh(out, standing, hash)) {
      stale.fresh.push(standing)
      continue
    }
    // What judges manifests is large, too.
    const { readSource } = await import('./plugin-source.ts')
    const source = readSource(folder)
    if ('errors' in source) stale.failed.push({ folder, errors: source.errors })
    else stale.tasks.push({ source, hash, stage: join(stages, source.manifest.slug), forVisitors: mode === 'production' })
  }
  return stale
}

/** Puts what was compiled in the place of the builds before; of what has errors, the one before stays. */
export async function finishPlugins({ tasks, fresh, failed }: Stale, compiled: Map<string, Compiled>, out: string): Promise<BuildResult> {
  const result: BuildResult = { built: [], fresh, failed: [...failed], warnings: [] }
  const halvesOf = (slug: string) => [compiled.get(`${slug} (server)`), compiled.get(`${slug} (web)`)]
  const contracts = tasks.length > 0 ? await import('./contracts-of.ts') : undefined
  const tokens = await contracts?.tokensUsedBy(tasks.map(({ source }) => ({ source, halves: halvesOf(source.manifest.slug) })))
  for (const task of tasks) {
    const { slug } = task.source.manifest
    const web = compiled.get(`${slug} (web)`)
    const errors = halvesOf(slug).flatMap((half) => half?.errors ?? [])
    if (errors.length > 0 || !contracts || !tokens) {
      result.failed.push({ folder: task.source.folder, errors: errors.map(readable) })
      continue
    }
    const declared = await contracts.declaredContracts(task.source, task.stage, halvesOf(slug), tokens)
    result.warnings.push(...declared.warnings.map((text) => ({ slug, text })))
    if (declared.errors.length > 0) {
      result.failed.push({ folder: task.source.folder, errors: declared.errors })
      continue
    }
    await finish(task, out, web, declared.contracts)
    result.built.push(slug)
  }
  rmSync(stagesIn(out), { recursive: true, force: true })
  return result
}

const stagesIn = (out: string): string => join(out, `.stage-${process.pid}`)
