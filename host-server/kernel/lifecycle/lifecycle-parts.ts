import type { ActiveSet } from '../plugin-set/active-set.ts'
import type { Inventory } from './inventory.ts'
import type { LifecycleOptions } from './lifecycle-options.ts'

/** What the steps of the lifecycle work on; only one of them is under way at a time. */
export interface LifecycleParts {
  options: LifecycleOptions
  inventory: Inventory
  activeSet: ActiveSet
}
