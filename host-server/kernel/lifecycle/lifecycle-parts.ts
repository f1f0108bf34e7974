import type { KernelData } from '../../data/index.ts'
import type { PluginRoot } from '../packages/scan-folders.ts'
import type { PackageStore } from '../packages/store.ts'
import type { ActiveSet } from '../plugin-set/active-set.ts'
import type { BuildSetOptions } from '../plugin-set/build-set.ts'
import type { View } from '../runtime/view.ts'
import type { Inventory } from './inventory.ts'

export interface LifecycleOptions extends BuildSetOptions {
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
  activeSet: ActiveSet
}
