import { mkdirSync, rmSync } from 'node:fs'
import type { Configuration, MultiStats, StatsCompilation } from '@rspack/core'
import { rspack } from '@rspack/core'
import type { Task } from './finish.ts'
import { LeanRuntimePlugin } from './lean-runtime.ts'
import type { Mode } from './mode.ts'
import { serverConfig, serverEntries } from './server-config.ts'
import { webConfig } from './web-config.ts'

/** Statistics of one compiler's run. */
export interface Compiled extends StatsCompilation {
  /** Chunk → keys of the shared modules that it takes from the host; of web halves. */
  shares: Record<string, string[]>
}

/** What is asked of a compiler after its run. */
export const ASKED = { all: false, errors: true, chunkGroups: true, chunkGroupChildren: false, assets: true }

/** Runs one compiler per half of each plugin. @returns statistics named `<slug> (web)` and `<slug> (server)`; errors of the code are in there */
export async function compile(tasks: Task[], mode: Mode): Promise<Compiled[]> {
  const halves = tasks.flatMap(({ source, stage, hash = '' }): { configuration: Configuration; runtime?: LeanRuntimePlugin }[] => {
    rmSync(stage, { recursive: true, force: true })
    mkdirSync(stage, { recursive: true })
    const runtime = new LeanRuntimePlugin()
    return [
      ...(source.modules.length > 0 ? [{ configuration: webConfig(source, stage, mode, hash.slice(0, 16), runtime), runtime }] : []),
      ...(Object.keys(serverEntries(source)).length > 0 ? [{ configuration: serverConfig(source, stage) }] : []),
    ]
  })
  if (halves.length === 0) return []
  const compiler = rspack(halves.map(({ configuration }) => configuration))
  const stats = await new Promise<MultiStats>((resolve, reject) =>
    compiler.run((error, done) => (done ? resolve(done) : reject(error ?? new Error('The build ended without a result')))),
  )
  const json = stats.stats.map((one) => one.toJson(ASKED))
  const named = json.map((one, index) => ({
    ...one,
    name: halves[index]?.configuration.name ?? '',
    shares: halves[index]?.runtime?.shares ?? {},
  }))
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
  return named
}
