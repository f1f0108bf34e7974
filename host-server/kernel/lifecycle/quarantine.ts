import { CodedError } from '@stoa/sdk'
import type { PluginStates, Problem } from '../../data/index.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'

/** Plugins that are switched on and that the kernel keeps off, with why. Survives a restart; other code of a plugin gets a new chance. */
export class Quarantines {
  readonly #states: PluginStates
  #held = new Map<string, { generation: string; problem: CodedError }>()

  constructor(states: PluginStates) {
    this.#states = states
  }

  async load(): Promise<void> {
    const stored = await this.#states.quarantines()
    this.#held = new Map(stored.map(({ slug, generation, problem }) => [slug, { generation, problem: problemError(problem) }]))
  }

  /** Some version of it is kept off; not the one that runs, where one does. */
  has(slug: string): boolean {
    return this.#held.has(slug)
  }

  problem(slug: string): CodedError | undefined {
    return this.#held.get(slug)?.problem
  }

  /** True for the very code that failed. */
  holds({ manifest, generation }: DiscoveredPlugin): boolean {
    return this.#held.get(manifest.slug)?.generation === generation
  }

  async hold({ manifest: { slug }, generation }: DiscoveredPlugin, problem: CodedError): Promise<void> {
    const { code, params, message } = problem
    this.#held.set(slug, { generation, problem })
    await this.#states.setQuarantine({ slug, generation, problem: { code, params, message } })
  }

  /** This very code gets another chance. What is known of another version of the plugin stays known. */
  async release(plugin: DiscoveredPlugin | undefined): Promise<void> {
    if (!plugin || !this.holds(plugin)) return
    const { slug } = plugin.manifest
    this.#held.delete(slug)
    await this.#states.endQuarantine(slug)
  }
}

const problemError = ({ code, params, message }: Problem): CodedError =>
  Object.assign(new CodedError(code, { status: 503, message: '' }, params), { message })
