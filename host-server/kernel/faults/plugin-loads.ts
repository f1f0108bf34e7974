import type { PluginLoad } from '@stoa/sdk/administration'

const none: PluginLoad = { requests: 0, failed: 0, ms: 0, slowest: 0 }

/** What the calls of each plugin have cost since the process started, switched or not meanwhile. One entry per plugin that was ever asked. */
export class PluginLoads {
  readonly #loads = new Map<string, PluginLoad>()

  /** A request was answered. @param ms from its arrival to the end of its reply, waiting included */
  answered(slug: string, status: number, ms: number): void {
    let load = this.#loads.get(slug)
    if (!load) {
      load = { ...none }
      this.#loads.set(slug, load)
    }
    load.requests++
    load.ms += ms
    if (status >= 500) load.failed++
    if (ms > load.slowest) load.slowest = ms
  }

  of(slug: string): PluginLoad {
    const load = this.#loads.get(slug) ?? none
    return { ...load, ms: Math.round(load.ms), slowest: Math.round(load.slowest) }
  }
}
