import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Compiler, Configuration, Stats } from '@rspack/core'
import { rspack } from '@rspack/core'
import type { Compiled } from './compile.ts'
import { read } from './compile.ts'

/** The compiler of one half of a plugin. */
export class Half {
  readonly name: string | undefined
  readonly folder: string
  readonly #configuration: Configuration
  readonly #compiler: Compiler
  #files = new Set<string>()
  /** Folders of which it takes every file. */
  #folders = new Set<string>()
  result: Compiled | undefined

  /** @param folder that it writes into, and nobody else */
  constructor(configuration: Configuration, folder: string) {
    this.name = configuration.name
    this.folder = folder
    this.#configuration = configuration
    this.#compiler = rspack({ ...configuration, output: { ...configuration.output, path: folder, clean: true } })
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
    this.result = read(stats, this.#configuration)
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#compiler.close(() => resolve()))
  }
}
