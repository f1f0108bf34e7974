import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Manifest } from '../shared/manifest.ts'
import type { Token } from './contract-tokens.ts'
import { tokensOfModules } from './contract-tokens.ts'

/** A contract whose tokens can be looked up: a neighbour's, or one that is installed as a package. */
export interface KnownContract {
  /** Absolute path of `api.ts`, or the name that it is imported by. */
  module: string
  tokens: Token[]
  /** Of the contract; undefined where nobody says it. */
  version?: string | undefined
  manifest?: Manifest
}

/**
 * Contracts that plugins may name.
 * @param folders plugins of which each may use the others' `shared/api.ts`
 * @param project folder of a plugin project whose packages count; none where `folders` are all there is
 * @returns by the name of the contract
 */
export async function knownContracts(folders: readonly string[], project?: string): Promise<Map<string, KnownContract>> {
  const neighbours = folders.map((folder) => ({ file: join(folder, 'shared/api.ts'), manifest: manifestIn(folder) }))
  const packages = project === undefined ? [] : installedContracts(project)
  const files = [...neighbours.filter(({ file }) => existsSync(file)).map(({ file }) => file), ...packages.map(({ file }) => file)]
  const tokens = await tokensOfModules(files)
  const known = new Map<string, KnownContract>()
  for (const { file, name, version } of packages) {
    const all = [...(tokens.get(file)?.values() ?? [])].flat()
    const [contract] = (all[0]?.id ?? '').split('.')
    if (contract) known.set(contract, { module: name, tokens: all, version })
  }
  for (const { file, manifest } of neighbours)
    if (manifest)
      known.set(manifest.slug, {
        module: file,
        tokens: [...(tokens.get(file)?.values() ?? [])].flat(),
        version: versionOf(manifest),
        manifest,
      })
  return known
}

/** Of a plugin's own contract. */
const versionOf = ({ slug, provides = {} }: Manifest): string | undefined => (Object.hasOwn(provides, slug) ? provides[slug] : undefined)

function manifestIn(folder: string): Manifest | undefined {
  const file = join(folder, 'plugin.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined
}

/** Packages that a project or a folder above it names, where Node looks for them too, and that export a contract, as `@stoa/plugin-<slug>/api`. */
function installedContracts(project: string): { name: string; file: string; version: string | undefined }[] {
  const find = createRequire(join(project, 'package.json'))
  const named = packagesUpwards(project).flatMap(({ dependencies, devDependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).filter((name) => name !== '@stoa/sdk'),
  )
  // A contract speaks of others, whose packages come along with it.
  const around = new Set(named)
  return [...around].flatMap((name) => {
    try {
      const file = find.resolve(`${name}/api`)
      const { version, dependencies: more = {} } = JSON.parse(readFileSync(join(dirname(file), 'package.json'), 'utf8')) as {
        version?: string
        dependencies?: Record<string, string>
      }
      for (const other of Object.keys(more)) around.add(other)
      return [{ name: `${name}/api`, file, version }]
    } catch {
      return []
    }
  })
}

/** `package.json` of a folder, and of those above it. */
function packagesUpwards(folder: string): Record<string, Record<string, string>>[] {
  const file = join(folder, 'package.json')
  const own = existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : []
  return dirname(folder) === folder ? own : [...own, ...packagesUpwards(dirname(folder))]
}
