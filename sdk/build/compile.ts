import type { Configuration, MultiStats, Stats, StatsCompilation } from '@rspack/core'
import { rspack } from '@rspack/core'
import { LeanRuntimePlugin } from './lean-runtime.ts'
import type { UsedModule } from './used-exports.ts'
import { UsedExportsPlugin } from './used-exports.ts'

/** Statistics of one compiler's run. */
export interface Compiled extends StatsCompilation {
  /** Chunk → keys of the shared modules that it takes from the host; of web halves. */
  shares: Record<string, string[]>
  /** Exports of contracts that are used. */
  used: UsedModule[]
}

/** Runs a compiler for each configuration. @returns statistics by the configuration's name; errors of the code are in there */
export async function compile(configurations: Configuration[]): Promise<Map<string, Compiled>> {
  if (configurations.length === 0) return new Map()
  const compiler = rspack(configurations)
  const { stats } = await new Promise<MultiStats>((resolve, reject) =>
    compiler.run((error, done) => (done ? resolve(done) : reject(error ?? new Error('The build ended without a result')))),
  )
  const compiled = configurations.map(
    (configuration, index) => [configuration.name ?? '', read(stats[index] as Stats, configuration)] as const,
  )
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
  return new Map(compiled)
}

/** What is asked of a compiler after its run. */
export function read(stats: Stats, { plugins = [] }: Configuration): Compiled {
  const runtime = plugins.find((plugin) => plugin instanceof LeanRuntimePlugin)
  const facts = stats.toJson({ all: false, errors: true, chunkGroups: true, chunkGroupChildren: false, assets: true })
  const exports = plugins.find((plugin) => plugin instanceof UsedExportsPlugin)
  return { ...facts, shares: runtime?.shares ?? {}, used: exports?.modules ?? [] }
}
