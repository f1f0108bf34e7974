import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Compiler, Configuration, Stats } from '@rspack/core'
import { rspack } from '@rspack/core'
import type { Compiled } from './compile.ts'
import { ASKED } from './compile.ts'
import { LeanRuntimePlugin } from './lean-runtime.ts'
import type { PluginSource } from './plugin-source.ts'
import { serverConfig, serverEntries } from './server-config.ts'
import { webConfig } from './web-config.ts'

/** Compilers for the parts that a plugin has. @param live folder they write into, each into one of its own */
export function halvesOf(source: PluginSource, live: string): Half[] {
  const web = join(live, 'web')
  const server = join(live, 'server')
  const runtime = new LeanRuntimePlugin()
  return [
    ...(source.modules.length > 0 ? [new Half(webConfig(source, web, 'development', 'live', runtime), web, runtime)] : []),
    ...(Object.keys(serverEntries(source)).length > 0 ? [new Half(serverConfig(source, server), server)] : []),
  ]
}

/** The compiler of one half of a plugin. */
export class Half {
  readonly folder: string
  readonly isWeb: boolean
  readonly #runtime: LeanRuntimePlugin | undefined
  readonly #compiler: Compiler
  #files = new Set<string>()
  /** Folders of which it takes every file. */
  #folders = new Set<string>()
  result: Compiled | undefined

  constructor(configuration: Configuration, folder: string, runtime?: LeanRuntimePlugin) {
    this.folder = folder
    this.#runtime = runtime
    this.isWeb = runtime !== undefined
    this.#compiler = rspack({ ...configuration, output: { ...configuration.output, clean: true } })
  }

  /** Compiles when a file has changed that it is made of, or when the last run failed. */
  async run(changed: string[]): Promise<void> {
    const isClean = this.result !== undefined && (this.result.errors ?? []).length === 0
    if (isClean && !changed.some((file) => this.#files.has(file) || this.#folders.has(dirname(file)))) return
    const removedFiles = new Set(changed.filter((file) => !existsSync(file)))
    const modifiedFiles = new Set(changed.filter((file) => !removedFiles.has(file)))
    const stats = await new Promise<Stats>((resolve, reject) =>
      this.#compiler.run((error, done) => (done ? resolve(done) : reject(error ?? new Error('The build ended without a result'))), {
        modifiedFiles,
        removedFiles,
      }),
    )
    this.#files = new Set(stats.compilation.fileDependencies)
    this.#folders = new Set(stats.compilation.contextDependencies)
    this.result = { ...stats.toJson(ASKED), shares: this.#runtime?.shares ?? {} }
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#compiler.close(() => resolve()))
  }
}
