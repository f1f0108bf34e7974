import { join } from 'node:path'
import type { HttpServices } from '../calls/http-services.ts'
import { kernelPlugin } from '../http/kernel-plugin.ts'
import { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import { createPackageStore } from '../kernel/packages/store.ts'
import type { ContextServices } from '../kernel/runtime/activation.ts'
import type { KernelState } from './kernel-state.ts'
import { contextServices, httpServices } from './lend-services.ts'

/** Folder that packages are put into. */
export const packagesFolder = ({ options }: KernelState): string => join(options.dataDir, 'plugins')

/** Starts whatever should be on and can be, and does so again when the installer chose another database. */
export async function startPlugins(state: KernelState): Promise<void> {
  const makeLifecycle = await lifecycleMaker(state, contextServices(state), httpServices(state))
  state.data.setup.onReopen(async () => {
    const { reads, lifecycle } = state
    state.reads = await state.openReads()
    const next = makeLifecycle()
    await next.start()
    state.lifecycle = next
    void lifecycle.stop().then(() => reads.close())
  })
  state.lifecycle = makeLifecycle()
  await state.lifecycle.start(state.options.run)
}

async function lifecycleMaker(state: KernelState, context: ContextServices, http: HttpServices): Promise<() => Lifecycle> {
  const { options, data, faults } = state
  const store = createPackageStore(packagesFolder(state))
  const kernel = await kernelPlugin({ admin: () => state.admin, lifecycle: () => state.lifecycle, store, data, context, http })
  return () =>
    new Lifecycle({
      roots: [
        ...options.pluginDirs.map((folder) => ({ folder, origin: 'bundled' as const })),
        { folder: packagesFolder(state), origin: 'installed' as const },
      ],
      packageMemory: options.packageMemory,
      store,
      reserved: new Set(options.reservedSlugs),
      data,
      kernel,
      context,
      http,
      ...(options.leaveOut && { leaveOut: options.leaveOut }),
      ...(options.only && { only: options.only }),
      taps: {
        fault: (slug, hook, error) => void faults.charge(slug, 'hook', hook, error),
        slow: (slug, hook, ms) => faults.slow(slug, hook, ms),
        timeoutMs: state.limits.tapMs,
      },
      prepareSet: async (view) => {
        await state.reads.prepare(view)
        await state.pages?.prepare(view)
      },
      prepareSafe: async (view) => {
        await state.reads.prepare(view)
        state.pages?.admit(view)
      },
      onSwitch: (view) => {
        // Another node may have changed tables for it.
        data.database.renewStatements()
        for (const listener of state.onSwitch) listener(view)
      },
      onStarting: (plugin) => options.run?.starting(plugin),
      onRetired: (view) => state.reads.forget(view),
      log: options.log,
    })
}
