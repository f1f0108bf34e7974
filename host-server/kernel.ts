import type { CodedError, ReadToken } from '@stoa/sdk'
import type { PluginAdmin } from '@stoa/sdk/administration'
import type { KernelData } from './data/index.ts'
import { trimMemoryWhenIdle } from './kernel/faults/idle-memory.ts'
import type { Lifecycle } from './kernel/lifecycle/lifecycle.ts'
import { watchPlugins } from './kernel/lifecycle/watch-folders.ts'
import type { View } from './kernel/runtime/view.ts'
import type { Pages } from './pages/index.ts'
import { keepCompiled } from './shared/compiled-once.ts'
import { installUnattended, needsSetup } from './start/install-unattended.ts'
import type { KernelOptions } from './start/kernel-options.ts'
import { openState } from './start/kernel-state.ts'
import { createSitePages, openPages } from './start/open-pages.ts'
import { closeServer, listen, openServer } from './start/open-server.ts'
import { packagesFolder, startPlugins } from './start/start-plugins.ts'
import { watchFaults } from './start/watch-faults.ts'

export type { KernelOptions } from './start/kernel-options.ts'

export interface Kernel {
  url: string
  port: number
  plugins: PluginAdmin
  data: KernelData
  /** What is on now. */
  view(): View
  lifecycle(): Lifecycle
  /** Runs a read function of what is on now, for nobody; in the open transaction. */
  read<P, R>(token: ReadToken<P, R>, params: P): Promise<R>
  /** Resolves when outbox and jobs have nothing left to do. */
  idle(): Promise<void>
  /** Takes a failing plugin out of service until it is switched on again. */
  quarantine(slug: string, problem: CodedError): Promise<void>
  /** Takes a rebuilt plugin in place of the running one. */
  reload(slug: string): Promise<void>
  /** See {@link Pages}; null without pages. */
  pages: Pick<Pages, 'say' | 'renewCore'> | null
  /** Gives up what is only there for speed, until somebody asks again. */
  trimMemory(): void
  close(): Promise<void>
}

/** Starts the site. Resolves when it serves. */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  if (options.keepsCompiled) keepCompiled()
  const state = await openState(options)
  const stopWatching = watchFaults(state)
  const { server, dispatcher, health } = openServer(state)
  const pages = await createSitePages(state, dispatcher)
  await startPlugins(state)
  if (needsSetup(state)) health.phase = 'starting'
  await openPages(state, pages)
  const port = await listen(server, state)
  const trimMemory = () => {
    state.pages?.forget()
    state.reads.trimMemory()
    state.data.database.trimMemory()
  }
  const stopTrimming = options.trimsMemory ? trimMemoryWhenIdle(() => dispatcher.asked, trimMemory) : () => {}
  const folders = watchPlugins(packagesFolder(state), () => state.lifecycle, options.log)
  const url = `http://${options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host}:${port}`
  state.data.site.useAddress(url)
  state.reads.refresh()
  await installUnattended(state)
  if (!state.data.site.installed)
    options.log(
      'info',
      'kernel',
      `The site is to be set up at /install; from another machine it asks for the code ${state.data.setup.code}`,
    )
  health.phase = 'serving'

  return {
    url,
    port,
    plugins: state.admin,
    data: state.data,
    view: () => state.lifecycle.view,
    lifecycle: () => state.lifecycle,
    read: <P, R>({ id }: ReadToken<P, R>, params: P) => {
      const call = { person: null, language: state.data.site.language, now: state.now() }
      return state.reads.run(state.lifecycle.view, id, params, call) as Promise<R>
    },
    idle: () => state.data.settled(),
    quarantine: (slug, problem) => state.lifecycle.quarantine(slug, problem),
    reload: (slug) => state.lifecycle.reload(slug),
    pages: state.pages,
    trimMemory,
    async close() {
      health.phase = 'draining'
      stopTrimming()
      await closeServer(server, () => state.pages?.close())
      await folders.close()
      await state.lifecycle.stop()
      await state.reads.close()
      await state.data.close()
      stopWatching()
    },
  }
}
