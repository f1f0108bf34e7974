import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrityOf } from '../kernel/integrity.ts'
import type { BuildFacts } from '../shared/manifest.ts'
import type { Compiled } from './compile.ts'
import { CONTAINER, chunkName, exposeName } from './module-names.ts'
import type { PluginSource } from './plugin-source.ts'

/** What the kernel has to know of a built folder: its files, what each contribution loads, and a digest of every file that browsers get. */
export function buildFacts(source: PluginSource, folder: string, web: Compiled | undefined): BuildFacts {
  const part = (there: boolean, name: string) => (there ? `${name}.cjs` : null)
  return {
    server: part(source.server, 'server'),
    reads: part(source.reads, 'reads'),
    migrations: part(source.migrations, 'migrations'),
    seed: part(source.seed, 'seed'),
    commands: part(source.commands, 'commands'),
    web: web ? webFacts(source, folder, web) : null,
    locales: source.locales,
  }
}

const KIT = '@stoa/sdk/ui/'

function webFacts(source: PluginSource, folder: string, web: Compiled): NonNullable<BuildFacts['web']> {
  const groups = web.namedChunkGroups ?? {}
  const filesOf = (group: string) => (groups[group]?.assets ?? []).map((asset) => asset.name)
  const entry = filesOf(CONTAINER).find((file) => file.startsWith('entry.'))
  if (entry === undefined) throw new Error(`No entry was written; chunk groups are ${Object.keys(groups).join(', ')}`)
  const modules = source.modules.map((module) => {
    const files = filesOf(chunkName(module))
    const shared = (groups[chunkName(module)]?.chunks ?? []).flatMap((chunk) => web.shares[chunk] ?? [])
    return [
      module,
      {
        expose: exposeName(module),
        js: files.filter((file) => file.endsWith('.js')),
        css: files.filter((file) => file.endsWith('.css')),
        ui: shared
          .filter((key) => key.startsWith(KIT))
          .map((key) => key.slice(KIT.length))
          .sort(),
      },
    ] as const
  })
  const publicFiles = readdirSync(folder)
    .filter((file) => !/\.(cjs|map|json)$/.test(file) && file !== 'locales')
    .sort()
  return {
    entry,
    modules: Object.fromEntries(modules),
    integrity: Object.fromEntries(publicFiles.map((file) => [file, integrityOf(readFileSync(join(folder, file)))])),
  }
}
