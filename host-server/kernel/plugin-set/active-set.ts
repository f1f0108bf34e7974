import type { KernelData } from '../../data/index.ts'
import type { DiscoveredPlugin, LogFunction } from '../../shared/types.ts'
import type { Running } from '../runtime/view.ts'
import { View } from '../runtime/view.ts'
import type { BuildSetOptions, BuiltSet } from './build-set.ts'
import { buildSet } from './build-set.ts'
import { Contracting, knownSteps } from './contracting.ts'
import type { Router } from './router.ts'
import { buildRouter } from './router.ts'

/** How long requests of the set before may go on after a switch, in milliseconds. */
const DRAIN_MS = 15_000
/** How often a migration that waits for other nodes looks at them, in milliseconds. */
const LOOK_MS = 1_000

export interface ActiveSetOptions extends BuildSetOptions {
  data: KernelData
  /** The set was replaced. */
  onSwitch(view: View): void
  log: LogFunction
}

/** Another view of what runs, for some only. */
export interface SafeView extends BuiltSet {
  /** What everybody else sees; whoever holds the view holds it too. */
  base: View
  /** Plugins that run for this view alone. */
  own: Running[]
}

/** The set of plugins that people see: builds another beside it, puts that in its place, and ends the old one once nobody holds it. */
export class ActiveSet {
  readonly #options: ActiveSetOptions
  #view: View
  #router: Router
  #plugins: readonly Running[] = []
  /** Plugins that were part of a set that people saw; those end when it has drained. */
  readonly #wasVisible = new WeakSet<Running>()
  readonly #retiring = new Set<Promise<void>>()
  /** Changes that are being carried out. */
  #changes = 0
  /** What follows once nothing changes and nothing retires; one at a time. */
  #settling: Promise<void> = Promise.resolve()
  readonly #contracting: Contracting
  #nextLook: NodeJS.Timeout | undefined
  #closed = false
  /** Another view of this very set, if somebody asked for it; goes when the set goes. */
  safe: SafeView | undefined

  constructor(options: ActiveSetOptions) {
    this.#options = options
    this.#contracting = new Contracting(options.data, options.log)
    this.#view = new View(0, [options.kernel], options.taps)
    this.#router = buildRouter([options.kernel])
  }

  get view(): View {
    return this.#view
  }
  get router(): Router {
    return this.#router
  }

  /** What runs, without the kernel's own calls. */
  get plugins(): readonly Running[] {
    return this.#plugins
  }

  running(slug: string): Running | undefined {
    return this.#plugins.find((plugin) => plugin.manifest.slug === slug)
  }

  slugs(): Set<string> {
    return new Set(this.#plugins.map(({ manifest }) => manifest.slug))
  }

  /** A set that nobody sees yet, of what is in `there` and what has to be started. @throws PluginRejected */
  build(wanted: readonly DiscoveredPlugin[], epoch: number, reusable: Set<Running>): Promise<BuiltSet> {
    return buildSet(wanted, epoch, this.#view.plugins, reusable, this.#options)
  }

  /** Runs what may change which versions run here. Until it is done, and the old ones have ended, no node takes anything away from the tables. */
  async change<R>(fn: () => Promise<R>): Promise<R> {
    this.#changes++
    try {
      await this.#options.data.nodes.changing()
      return await fn()
    } finally {
      this.#changes--
      this.#settle()
    }
  }

  /** Makes a built set the present one; the old one drains behind the scenes. */
  activate({ view, router }: BuiltSet): void {
    const old = this.#view
    const { safe } = this
    this.safe = undefined
    this.#view = view
    this.#router = router
    this.#plugins = view.plugins.filter((plugin) => plugin !== this.#options.kernel)
    const fresh = view.plugins.filter((plugin) => !old.plugins.includes(plugin))
    for (const plugin of fresh) plugin.begin()
    // What happens from now on is not for them: where they come back, they are told that they missed it.
    for (const plugin of old.plugins) if (!view.plugins.includes(plugin)) void plugin.quiesce()
    this.#options.onSwitch(view)
    this.#retire(old, view, safe)
  }

  /** Stops what was started for a set that did not come to be. */
  async stopUnused(reusable: Set<Running>): Promise<void> {
    const unused = [...reusable].filter((plugin) => !this.#view.plugins.includes(plugin) && !this.#wasVisible.has(plugin))
    await Promise.all(unused.map((plugin) => plugin.stop()))
  }

  /** Ends everything, last started first. */
  async stop(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#nextLook)
    await Promise.all(this.#retiring)
    await this.#settling
    await this.#view.drained(DRAIN_MS)
    await this.#dropSafe(this.safe)
    for (const plugin of [...this.#view.plugins].reverse()) await plugin.stop()
  }

  /** Waits for the work that began before the switch, then stops what the new set has no place for. */
  #retire(old: View, next: View, safe: SafeView | undefined): void {
    for (const plugin of next.plugins) this.#wasVisible.add(plugin)
    const done = (async () => {
      await old.drained(DRAIN_MS)
      await this.#dropSafe(safe)
      const gone = old.plugins.filter((plugin) => !next.plugins.includes(plugin))
      await Promise.all(gone.map((plugin) => plugin.stop()))
      if (old.epoch > 0) this.#options.onRetired(old)
    })()
    this.#retiring.add(done)
    done
      .catch((error) => this.#options.log('error', 'kernel', `After a switch: ${(error as Error).message}`))
      .finally(() => {
        this.#retiring.delete(done)
        this.#settle()
      })
  }

  /** Tells other nodes what runs here alone by now, and takes away from the tables what no node needs any more. */
  #settle(): void {
    const settle = async () => {
      clearTimeout(this.#nextLook)
      if (this.#closed || this.#changes > 0 || this.#retiring.size > 0) return
      await this.#options.data.nodes.runs(knownSteps(this.#plugins))
      let waits = false
      for (const plugin of this.#plugins) if (this.#plugins.includes(plugin) && !(await this.#contracting.run(plugin))) waits = true
      if (waits) lookAgain()
    }
    const lookAgain = () => {
      if (!this.#closed) this.#nextLook = setTimeout(() => this.#settle(), LOOK_MS).unref()
    }
    this.#settling = this.#settling.then(settle).catch((error) => {
      this.#options.log('error', 'kernel', `After a switch: ${(error as Error).message}`)
      lookAgain()
    })
  }

  /** Its requests hold the set too, so nobody is in it any more. */
  async #dropSafe(safe: SafeView | undefined): Promise<void> {
    if (!safe) return
    for (const plugin of safe.own) await plugin.stop()
    this.#options.onRetired(safe.view)
  }
}
