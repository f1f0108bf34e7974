import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as v8 from 'node:v8'
import * as vm from 'node:vm'
import * as sdk from '@stoa/sdk'
import * as sdkCommands from '@stoa/sdk/commands'
import * as sdkSeed from '@stoa/sdk/seed'
import * as sdkServer from '@stoa/sdk/server'
import * as kysely from 'kysely'
import { legacyServer } from '../../../sdk/legacy/server.ts'
import { compiledOnce } from '../../shared/compiled-once.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { noteBundle } from '../faults/source-stack.ts'
import type { GuardedGlobals } from './guarded-globals.ts'
import { unguarded } from './guarded-globals.ts'

const nodeRequire = createRequire(import.meta.url)
const provided: Record<string, unknown> = {
  '@stoa/sdk': sdk,
  '@stoa/sdk/server': sdkServer,
  '@stoa/sdk/seed': sdkSeed,
  '@stoa/sdk/commands': sdkCommands,
  kysely,
}

/** Plugin → names it took that the sdk has elsewhere by now. */
const legacyUses = new Map<string, Set<string>>()

/** What a plugin's code has asked for so far that goes with sdk 2, in order of names; forgets it. */
export function takeLegacyUses(slug: string): string[] {
  const names = [...(legacyUses.get(slug) ?? [])].sort()
  legacyUses.delete(slug)
  return names
}

/** A plugin uses something that goes with sdk 2. */
export function noteLegacyUse(slug: string, name: string): void {
  legacyUses.set(slug, (legacyUses.get(slug) ?? new Set()).add(name))
}

/** The server half of the sdk as version 1.0 had it; what has moved is noted when it is asked for. */
function serverFor(slug: string): object {
  const noted = Object.keys(legacyServer).map((name) => {
    const get = () => {
      noteLegacyUse(slug, name)
      return (legacyServer as Record<string, unknown>)[name]
    }
    return [name, { get, enumerable: true }] as const
  })
  return Object.defineProperties({ ...sdkServer }, Object.fromEntries(noted))
}

function requireFor(slug: string, { modules }: GuardedGlobals) {
  const server = serverFor(slug)
  return (id: string): unknown => {
    if (id === '@stoa/sdk/server') return server
    if (Object.hasOwn(provided, id)) return provided[id]
    if (Object.hasOwn(modules, id)) return modules[id]
    if (id.startsWith('node:')) return nodeRequire(id)
    throw new Error(
      `Plugin ${slug} requires "${id}", which is neither bundled nor provided; provided are ${Object.keys(provided).join(', ')} and node: modules`,
    )
  }
}

/**
 * Runs a CommonJS bundle of a plugin and returns its default export.
 * @param globals what the bundle sees under the names of globals; default: those of a process that ends with it
 * V8's compilation cache is off for that moment: otherwise every reload of a plugin would keep its code for good (measured: 1,070 KB against 0.6).
 */
export function loadBundle<T>(plugin: DiscoveredPlugin, file: string, globals = unguarded): T {
  const path = join(plugin.folder, file)
  const code = readFileSync(path, 'utf8')
  const name = `plugin://${plugin.manifest.slug}@${plugin.manifest.version}-${plugin.generation.slice(0, 8)}/${file}`
  noteBundle(name, path)
  // In a function of its own, so that a bundle may declare the same names; in parentheses, which tell V8 to compile it at once instead of parsing it twice.
  const opening = 'return (function (exports, require, module, __filename, __dirname) {'
  const names = Object.keys(globals.values)
  const wrap = compiledOnce(
    () => [name, names, code].join('\0'),
    () => {
      v8.setFlagsFromString('--no-compilation-cache')
      try {
        return vm.compileFunction(`${opening}${code}\n})`, names, { filename: name, columnOffset: -opening.length })
      } finally {
        v8.setFlagsFromString('--compilation-cache')
      }
    },
  ) as (...globals: unknown[]) => (...args: unknown[]) => void
  const module = { exports: {} as Record<string, unknown> }
  const run = wrap(...Object.values(globals.values))
  run(module.exports, requireFor(plugin.manifest.slug, globals), module, join(plugin.folder, file), plugin.folder)
  const exported = module.exports as unknown
  const wrapped = exported as { default?: unknown } | null
  return (wrapped && typeof wrapped === 'object' && 'default' in wrapped ? wrapped.default : exported) as T
}
