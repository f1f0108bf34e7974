import { rmSync, watch } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import type { Configuration } from '@rspack/core'
import type { Task } from '@stoa/sdk/build'
import { LivePlugin } from '@stoa/sdk/build'
import type { Kernel, KernelOptions } from '../kernel.ts'
import { startKernel } from '../kernel.ts'
import { buildCore, buildSite } from './site-build.ts'
import type { BuildFolders } from './site-folders.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** Files are written in bursts; one build for all that come within this time. */
const BURST_MS = 15

async function developed(plugin: Task): Promise<Configuration[]> {
  const { configurations } = await import('../../rspack.config.ts')
  return configurations({ mode: 'development', plugins: [plugin] })
}

export interface DevOptions {
  /** Absolute folders of the plugins, as they are now. */
  folders(): string[]
  /** Where things are built; nobody else may build there at the same time. */
  out: BuildFolders
  /** Absolute folders to watch, with all below them. */
  watched: string[]
  kernel: Omit<KernelOptions, 'pluginDirs' | 'coreDir' | 'hostDir' | 'isDevelopment'>
  /** A line for whoever develops. */
  say(line: string): void
}

export interface DevSite {
  kernel: Kernel
  close(): Promise<void>
}

/** A site that follows its sources: what is edited is built, takes the place of what runs and of what open pages show. */
export async function startDevSite({ folders, out, watched, kernel: settings, say }: DevOptions): Promise<DevSite> {
  await buildSite({ mode: 'development', folders: folders(), out })
  const kernel = await startKernel({ ...settings, pluginDirs: [out.plugins], coreDir: out.core, hostDir: out.host, isDevelopment: true })
  const live = new Map<string, LivePlugin>()
  const pages = kernel.pages

  const failed = (name: string, errors: string[]) => {
    say(`${name} is not built; the version before goes on\n${errors.join('\n')}`)
    pages?.say({ kind: 'failed', name, errors })
  }

  async function rebuild(changed: string[]): Promise<void> {
    const here = folders()
    const touched = new Set(changed.flatMap((file) => here.filter((folder) => file.startsWith(folder + sep))))
    for (const folder of touched) await rebuildPlugin(folder, changed)
    // A contract is part of what its neighbours are built of.
    const shared = [...touched].some((folder) => changed.some((file) => file.startsWith(join(folder, 'shared') + sep)))
    const rest = changed.filter((file) => ![...touched].some((folder) => file.startsWith(folder + sep)))
    if (shared || rest.some((file) => isPlugins(file))) await rebuildOthers(here)
    if (rest.some((file) => /[\\/](core|sdk[\\/](web|ui|shared))[\\/]/.test(file.slice(root.length)))) await rebuildCore()
    const restart = rest.find((file) => /[\\/](host-server|sdk[\\/](server|build|shared))[\\/]/.test(file.slice(root.length)))
    if (restart) say(`${restart.slice(root.length + 1)} has changed, which the server runs: start again to have it.`)
  }

  async function rebuildPlugin(folder: string, changed: string[]): Promise<void> {
    const started = performance.now()
    const name = basename(folder)
    let plugin = live.get(folder)
    if (!plugin) {
      plugin = new LivePlugin({ folder, out: out.plugins, configurations: developed })
      live.set(folder, plugin)
    }
    const errors = await plugin.build(changed)
    if (errors.length > 0) return failed(name, errors)
    const builtMs = performance.now() - started
    try {
      await kernel.reload(name)
    } catch (error) {
      return failed(name, [(error as Error).message])
    }
    pages?.say({ kind: 'built', name })
    say(`${name}: built in ${Math.round(builtMs)} ms, live after ${Math.round(performance.now() - started)} ms`)
  }

  /** Whatever else depends on what has changed. */
  async function rebuildOthers(here: string[]): Promise<void> {
    const built = await buildSite({ mode: 'development', folders: here, out })
    for (const name of built.filter((one) => one !== 'core')) await kernel.reload(name)
    if (built.length > 0) say(`${built.join(', ')}: built and live, since a contract has changed`)
  }

  async function rebuildCore(): Promise<void> {
    const started = performance.now()
    try {
      if (!(await buildCore('development', out.core))) return
    } catch (error) {
      return failed('core', [(error as Error).message])
    }
    pages?.renewCore()
    pages?.say({ kind: 'built', name: 'core' })
    pages?.say({ kind: 'reload', message: 'The core has changed, so this page was loaded anew.' })
    say(`core: built in ${Math.round(performance.now() - started)} ms; open pages load anew`)
  }

  const isPlugins = (file: string): boolean => watched.some((folder) => basename(folder) === 'plugins' && file.startsWith(folder + sep))

  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  const waiting = new Set<string>()
  const watchers = watched.map((folder) =>
    watch(folder, { recursive: true }, (_, file) => {
      if (!file || /(^|[\\/])(node_modules|tests|\.[^\\/]*)([\\/]|$)/.test(file)) return
      waiting.add(join(folder, file))
      clearTimeout(timer)
      timer = setTimeout(() => {
        const changed = [...waiting]
        waiting.clear()
        working = working.then(() => rebuild(changed)).catch((error) => say((error as Error).message))
      }, BURST_MS)
    }),
  )

  return {
    kernel,
    async close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      await working
      await Promise.all([...live.values()].map((plugin) => plugin.close()))
      rmSync(join(out.plugins, `.live-${process.pid}`), { recursive: true, force: true })
      await kernel.close()
    },
  }
}
