import type { KnownSteps } from '../../data/db/nodes.ts'
import type { KernelData } from '../../data/index.ts'
import type { LogFunction } from '../../shared/types.ts'
import type { Running } from '../runtime/view.ts'

const contractingOf = ({ code }: Running): string[] => code.migrations.filter(({ contracts }) => contracts).map(({ name }) => name)

/** What the code of these plugins knows of what was, or is to be, taken away from their tables. */
export const knownSteps = (plugins: readonly Running[]): KnownSteps =>
  Object.fromEntries(plugins.map((plugin) => [plugin.manifest.slug, contractingOf(plugin)]))

/** Runs the contracting migrations of each plugin that is new, once no node needs what they take away; one that fails is tried at the next start. */
export class Contracting {
  readonly #data: KernelData
  readonly #log: LogFunction
  readonly #done = new WeakSet<Running>()
  /** Those of which the log says that they wait. */
  readonly #waiting = new WeakSet<Running>()

  constructor(data: KernelData, log: LogFunction) {
    this.#data = data
    this.#log = log
  }

  /** @returns false where one has to wait for another node */
  async run(plugin: Running): Promise<boolean> {
    const { slug, version } = plugin.manifest
    const step = contractingOf(plugin).at(-1)
    if (step === undefined || this.#done.has(plugin)) return true
    try {
      if (!(await this.#data.migrate(slug, plugin.code.migrations))) {
        if (!this.#waiting.has(plugin)) this.#log('info', slug, `${step} waits until no node runs a version before ${version}`)
        this.#waiting.add(plugin)
        return false
      }
    } catch (error) {
      this.#log('error', slug, `After a switch: ${(error as Error).message}`)
    }
    this.#done.add(plugin)
    return true
  }
}
