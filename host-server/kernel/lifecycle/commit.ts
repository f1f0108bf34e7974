import { pluginErrors } from '@stoa/sdk/kernel'
import type { PluginChange } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { PluginRejected } from '../plugin-set/plugin-rejected.ts'
import type { Running } from '../runtime/view.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/**
 * Builds the set of `staying` and `fresh` beside the present one, stores the decision and puts the set in its place. Where anything of it
 * fails nothing has changed: what ran never stopped.
 * @param cause the plugin that somebody decided about
 * @throws `error.plugin.start_failed` with the PluginRejected as its cause; `error.plugin.busy`
 */
export async function commit(
  parts: LifecycleParts,
  cause: string,
  staying: readonly Running[],
  fresh: readonly DiscoveredPlugin[],
  change: PluginChange,
): Promise<void> {
  const { options, inventory, activeSet } = parts
  const { epoch } = inventory.stored
  const reusable = new Set(staying)
  try {
    const builtSet = await activeSet.build([...staying, ...fresh], epoch + 1, reusable)
    let stored: number
    try {
      stored = await options.data.plugins.save(epoch, change)
    } catch (error) {
      options.onRetired(builtSet.view)
      throw error
    }
    activeSet.activate(builtSet)
    inventory.absorb(stored, change)
  } catch (error) {
    throw error instanceof PluginRejected ? refusal(parts, cause, fresh, error) : error
  } finally {
    await activeSet.stopUnused(reusable)
  }
}

/** Says who is to blame, in the lists and to whoever asked. */
function refusal(
  { inventory, activeSet }: LifecycleParts,
  cause: string,
  fresh: readonly DiscoveredPlugin[],
  error: PluginRejected,
): Error {
  const isNew = fresh.some((plugin) => plugin.manifest.slug === error.slug)
  const blamed = isNew ? error.slug : cause
  const reason = error.slug === blamed ? error.message : `${error.slug}: ${error.message}`
  const running = activeSet.running(blamed)
  const version = fresh.find((plugin) => plugin.manifest.slug === blamed)?.manifest.version
  const kept =
    running && fresh.length > 0 ? `Version ${version} was not taken over, ${running.manifest.version} goes on: ${reason}` : reason
  inventory.fail(blamed, kept, error.cause ?? error)
  const refused = pluginErrors.start_failed({ slug: cause, reason: error.slug === cause ? reason : `${error.slug}: ${error.message}` })
  return Object.assign(refused, { cause: error })
}
