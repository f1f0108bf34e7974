import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkManifest } from '../kernel/check-manifest.ts'
import type { Manifest } from '../shared/manifest.ts'

/** A plugin's folder before it is built: which of the parts that the preset knows are there. */
export interface PluginSource {
  /** Absolute. */
  folder: string
  manifest: Manifest
  server: boolean
  reads: boolean
  migrations: boolean
  seed: boolean
  commands: boolean
  /** Code of a thread that the server entry starts itself: `new Worker(join(__dirname, 'worker.cjs'))`. */
  worker: boolean
  /** Web modules to expose, as written in the manifest, and `web/index.ts(x)` where there is one. */
  modules: string[]
  /** Files of `contributes.styles`. */
  styles: string[]
  /** Languages with a `locales/<code>.json`. */
  locales: string[]
}

/** Reads `plugin.json` and looks for the files it names. */
export function readSource(folder: string): PluginSource | { errors: string[] } {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))
  } catch (error) {
    return { errors: [`plugin.json cannot be read: ${(error as Error).message}`] }
  }
  const checked = checkManifest(json)
  if ('errors' in checked) return checked
  const manifest = checked.ok
  const there = (file: string) => existsSync(join(folder, file))
  const modules = webModules(manifest, there)
  const styles = manifest.contributes?.styles ?? []
  const missing = [...modules, ...styles].filter((file) => !there(file))
  if (missing.length > 0) return { errors: missing.map((file) => `plugin.json names ${file}, which is not there`) }
  return {
    folder,
    manifest,
    server: there('server/index.ts'),
    reads: there('server/reads.ts'),
    seed: there('server/seed.ts'),
    commands: there('server/commands.ts'),
    worker: there('server/worker.ts'),
    migrations: filesIn(join(folder, 'migrations'), '.ts').length > 0,
    modules,
    styles,
    locales: filesIn(join(folder, 'locales'), '.json').map((name) => name.slice(0, -'.json'.length)),
  }
}

function webModules(manifest: Manifest, there: (file: string) => boolean): string[] {
  const { routes = [], slots = [], taps = [], guards = [] } = manifest.contributes ?? {}
  const entries = ['web/index.ts', 'web/index.tsx'].filter(there)
  return [...new Set([...entries, ...[...routes, ...slots, ...taps, ...guards].map((contribution) => contribution.module)])].sort()
}

function filesIn(folder: string, ending: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
    : []
}
