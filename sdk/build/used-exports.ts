import type { Compiler } from '@rspack/core'

/** Exports of one module that a bundle takes, of modules that import the sdk: contracts are among them. */
export interface UsedModule {
  /** Absolute. */
  file: string
  exports: string[]
  /** Of a module that imports it. */
  importer: string
}

const SDK = '@stoa/sdk'

/** Asks the compiler's module graph, after it has decided what is used and before it joins modules. */
export class UsedExportsPlugin {
  /** Of the last run. */
  modules: UsedModule[] = []
  readonly #entries: string[]

  /** @param entries names of the entries whose use counts */
  constructor(entries: string[]) {
    this.#entries = entries
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('UsedExportsPlugin', (compilation) => {
      compilation.hooks.afterOptimizeModules.tap('UsedExportsPlugin', () => {
        const { moduleGraph } = compilation
        this.modules = [...compilation.modules].flatMap((module) => {
          const file = fileOf(module)
          if (file === undefined || !moduleGraph.getOutgoingConnections(module).some(({ dependency }) => requestOf(dependency) === SDK))
            return []
          // Without optimizing nobody has asked what is used, and everything would be.
          const used = moduleGraph.getUsedExports(module, this.#entries)
          if (!Array.isArray(used) || used.length === 0) return []
          const importers = moduleGraph.getIncomingConnections(module).map(({ originModule }) => fileOf(originModule) ?? '')
          return [{ file, exports: used, importer: importers.find((other) => other !== '') ?? '' }]
        })
      })
    })
  }
}

const fileOf = (module: object | null): string | undefined => (module as { resource?: string } | null)?.resource
const requestOf = (dependency: object): string | undefined => (dependency as { request?: string }).request
