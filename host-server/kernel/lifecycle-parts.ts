import type { KernelData } from '../data/index.ts'
import type { AssembleOptions } from './assemble.ts'
import type { PluginRoot } from './discover.ts'
import type { Inventory } from './inventory.ts'
import type { PackageStore } from './package-store.ts'
import type { Stage } from './stage.ts'
import type { View } from './view.ts'

export interface LifecycleOptions extends AssembleOptions {
  roots: PluginRoot[]
  store: PackageStore
  data: KernelData
  /** Slugs that are treated as not there, and if given the only ones that are. For tests. */
  leaveOut?: string[]
  only?: string[]
  /** As `prepareSet`, for a set that only some see. */
  prepareSafe(view: View): Promise<void>
  /** The set was replaced. */
  onSwitch(view: View): void
  log(level: 'info' | 'warn' | 'error', slug: string, message: string, details?: object): void
}

/** What the steps of the lifecycle work on; only one of them is under way at a time. */
export interface LifecycleParts {
  options: LifecycleOptions
  inventory: Inventory
  stage: Stage
}
