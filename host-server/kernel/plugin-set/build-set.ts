import type { TapWatch } from '../../../sdk/kernel/hooks.ts'
import type { HttpServices } from '../../calls/http-services.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { PackageStore } from '../packages/store.ts'
import type { ContextServices } from '../runtime/activation.ts'
import type { Running } from '../runtime/view.ts'
import { View } from '../runtime/view.ts'
import { PluginRejected } from './plugin-rejected.ts'
import { resolve } from './resolve.ts'
import type { Router } from './router.ts'
import { buildRouter } from './router.ts'
import { smokeTest } from './smoke-test.ts'
import { startPlugin } from './start-plugin.ts'

export interface BuildSetOptions {
  /** See `PackageStore`. */
  store: Pick<PackageStore, 'place'>
  /** The kernel's own calls, part of every set. */
  kernel: Running
  context: ContextServices
  http: HttpServices
  taps: TapWatch
  /** Lets reads and pages get ready for a set before anybody sees it. A rejection refuses the set. */
  prepareSet(view: View): Promise<void>
  /** A plugin is being started; undefined: it stands, or it does not. */
  onStarting(plugin: { slug: string; generation: string } | undefined): void
  /** A set nobody holds any more. */
  onRetired(view: View): void
}

/** A set that stands beside the present one and that nobody sees yet. */
export interface BuiltSet {
  view: View
  router: Router
}

/** Same code: what runs may go on. */
const isSame = (running: Running, wanted: DiscoveredPlugin): boolean =>
  running.manifest.slug === wanted.manifest.slug && running.generation === wanted.generation

/**
 * Builds a set of plugins beside the present one: ordered, loaded, migrated, activated, its calls routed, its reads and pages prepared, and each
 * new version of something that runs asked once.
 * @param present what runs for people now
 * @param there what may be reused; what is prepared anew is added, and the caller stops what it does not use
 * @throws PluginRejected with the plugin to blame
 */
export async function buildSet(
  wanted: readonly DiscoveredPlugin[],
  epoch: number,
  present: readonly Running[],
  reusable: Set<Running>,
  options: BuildSetOptions,
): Promise<BuiltSet> {
  const { kernel, taps } = options
  const { ordered, problems } = resolve(wanted, new Set(present.map(({ manifest }) => manifest.slug)))
  for (const [slug, reason] of problems) throw new PluginRejected(slug, reason)
  const plugins: Running[] = [kernel]
  for (const plugin of ordered) {
    const reused = [...reusable].find((running) => isSame(running, plugin))
    plugins.push(reused ?? (await startOne(plugin, new View(epoch, plugins, taps), reusable, options)))
  }
  // Who was there first keeps its calls: the newcomer is the one that conflicts.
  const fresh = plugins.filter((plugin) => plugin !== kernel && !present.includes(plugin))
  const view = new View(epoch, plugins, taps)
  let asked: string | undefined
  try {
    const router = buildRouter([...plugins.filter((plugin) => !fresh.includes(plugin)), ...fresh])
    await options.prepareSet(view)
    for (const plugin of fresh) {
      asked = plugin.manifest.slug
      if (present.some((running) => running.manifest.slug === asked)) await smokeTest(plugin, view)
    }
    return { view, router }
  } catch (error) {
    options.onRetired(view)
    if (error instanceof PluginRejected && error.slug !== '') throw error
    const slug = asked ?? suspect(fresh)
    if (slug === undefined) throw error
    throw new PluginRejected(slug, (error as Error).message, error)
  }
}

/** Where nothing else tells: of what is new, the last that did not come with the site. */
const suspect = (fresh: readonly Running[]): string | undefined =>
  (fresh.findLast((plugin) => plugin.origin === 'installed') ?? fresh.at(-1))?.manifest.slug

async function startOne(plugin: DiscoveredPlugin, provisional: View, reusable: Set<Running>, options: BuildSetOptions): Promise<Running> {
  const { slug } = plugin.manifest
  let running: Running
  options.onStarting({ slug, generation: plugin.generation })
  try {
    running = await startPlugin(await options.store.place(plugin), provisional, options.context, options.http)
  } catch (error) {
    throw new PluginRejected(slug, (error as Error)?.message ?? String(error), error)
  } finally {
    options.onStarting(undefined)
  }
  reusable.add(running)
  for (const [id, { cardinality }] of running.provided) {
    if (cardinality !== 'one') continue
    const other = provisional.plugins.find((candidate) => candidate.provided.has(id))
    if (other) throw new PluginRejected(slug, `${id} is already provided by ${other.manifest.slug}`)
  }
  return running
}
