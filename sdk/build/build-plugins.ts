import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { shareKeys } from '../shared/share-keys.ts'
import type { Task } from './finish.ts'
import { finish, isFresh, readable } from './finish.ts'
import { inputHash } from './input-hash.ts'
import type { Mode } from './mode.ts'
import { readSource } from './plugin-source.ts'

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
}

/** Builds plugins that are stale, all in one go; a failing one does not keep the others from being built. */
export async function buildPlugins({ folders, out, mode, force = false }: BuildOptions): Promise<BuildResult> {
  const result: BuildResult = { built: [], fresh: [], failed: [] }
  const tasks: Task[] = []
  const stages = join(out, `.stage-${process.pid}`)
  for (const folder of folders) {
    const source = readSource(folder)
    if ('errors' in source) {
      result.failed.push({ folder, errors: source.errors })
      continue
    }
    const { slug } = source.manifest
    const hash = inputHash(
      folder,
      folders.filter((other) => other !== folder),
      { mode, shareKeys },
    )
    if (!force && isFresh(out, slug, hash)) result.fresh.push(slug)
    else tasks.push({ source, hash, stage: join(stages, slug) })
  }
  // The compiler is large: a start that has nothing to build does not load it.
  const stats = tasks.length > 0 ? await (await import('./compile.ts')).compile(tasks, mode) : []
  for (const task of tasks) {
    const { slug } = task.source.manifest
    const errors = stats.filter((one) => one.name?.startsWith(`${slug} (`)).flatMap((one) => one.errors ?? [])
    if (errors.length > 0) result.failed.push({ folder: task.source.folder, errors: errors.map(readable) })
    else {
      finish(
        task,
        out,
        stats.find((one) => one.name === `${slug} (web)`),
      )
      result.built.push(slug)
    }
  }
  rmSync(stages, { recursive: true, force: true })
  return result
}
