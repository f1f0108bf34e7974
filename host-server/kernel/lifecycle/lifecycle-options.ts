import type { PluginRoot } from '../packages/scan-folders.ts'
import type { PackageStore } from '../packages/store.ts'
import type { ActiveSetOptions } from '../plugin-set/active-set.ts'
import type { View } from '../runtime/view.ts'

export interface LifecycleOptions extends ActiveSetOptions {
  roots: PluginRoot[]
  /** File that remembers what was read of what came with the site. */
  packageMemory?: string | undefined
  store: PackageStore
  /** Slugs that no package from outside may newly take. */
  reserved: ReadonlySet<string>
  /** Slugs that are treated as not there, and if given the only ones that are. For tests. */
  leaveOut?: string[]
  only?: string[]
  /** As `prepareSet`, for a set that only some see. */
  prepareSafe(view: View): Promise<void>
}
