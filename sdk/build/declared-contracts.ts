import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { partsOf, withinMajor } from '../kernel/contracts.ts'
import * as sdkServer from '../server/index.ts'
import type { Reads, ServerPlugin } from '../server/plugin.ts'
import type { ServiceToken } from '../shared/index.ts'
import type { Contracts, Manifest, TokenNames } from '../shared/manifest.ts'
import type { Compiled } from './compile.ts'
import type { ModuleTokens, Token } from './contract-tokens.ts'
import { evaluate, kindOf } from './contract-tokens.ts'
import type { PluginSource } from './plugin-source.ts'
import type { UsedModule } from './used-exports.ts'

export interface Declared {
  contracts: Contracts
  /** Each is a reason not to build. */
  errors: string[]
  /** Worth a look. */
  warnings: string[]
}

/** What a plugin's code uses of contracts, its own and others'. */
export function usedModules({ folder }: PluginSource, halves: readonly (Compiled | undefined)[]): UsedModule[] {
  const inside = (file: string, part: string) => file.startsWith(join(folder, part) + sep)
  return halves.flatMap((half) => half?.used ?? []).filter(({ file }) => !inside(file, '') || inside(file, 'shared'))
}

/**
 * Derives what a plugin takes and gives from its compiled code, and holds it against its `plugin.json`.
 * @param stage where `server.cjs` and `reads.cjs` lie; they are run as a site does, without `activate`
 */
export async function declaredContracts(
  source: PluginSource,
  stage: string,
  halves: readonly (Compiled | undefined)[],
  tokens: ReadonlyMap<string, ModuleTokens>,
): Promise<Declared> {
  const { manifest } = source
  const used = usedModules(source, halves).flatMap((module) =>
    module.exports.flatMap((name) => (tokens.get(module.file)?.get(name) ?? []).map((token) => ({ ...token, ...module }))),
  )
  let entries: Entries
  try {
    entries = await entriesOf(source, stage)
  } catch (error) {
    return { contracts: { offers: {}, uses: {} }, errors: [`The server part cannot be loaded: ${(error as Error).message}`], warnings: [] }
  }
  const offers = offersOf(manifest, used, entries)
  const { uses, errors, warnings } = usesOf(manifest, used, entries, source.folder)
  return { contracts: { offers, uses }, errors, warnings }
}

type UsedToken = Token & UsedModule

interface Entries {
  provides: ServiceToken<unknown>[]
  wants: Set<string>
  reads: string[]
}

async function entriesOf(source: PluginSource, stage: string): Promise<Entries> {
  const provided = { '@stoa/sdk/server': sdkServer, kysely: source.server || source.reads ? await import('kysely') : {} }
  const load = <T>(isThere: boolean, name: string): Partial<T> => (isThere ? (evaluate(join(stage, name), provided).default as T) : {})
  const { provides = {}, wants = {} } = load<ServerPlugin>(source.server, 'server.cjs')
  const { functions = [] } = load<Reads>(source.reads, 'reads.cjs')
  return {
    provides: Object.values(provides),
    wants: new Set(Object.values(wants).map(({ id }) => id)),
    reads: functions.map(([{ id }]) => id),
  }
}

/** Own contracts are those of which `provides` names the version: with them come the tokens that are implemented or used. */
function offersOf(
  { slug, provides = {}, points = {}, contributes = {} }: Manifest,
  used: readonly UsedToken[],
  { provides: services, reads }: Entries,
): Contracts['offers'] {
  const offers = new Map<string, Contracts['offers'][string]>()
  const versionOf = (contract: string): string | undefined =>
    ownOf(provides, contract) ?? used.flatMap(({ id, file }) => (partsOf(id)[0] === contract ? (versionAt(file, contract) ?? []) : []))[0]
  const offer = (kind: string, id: string, was: readonly string[] = []) => {
    const [contract, name] = partsOf(id)
    const ranged = ownOf(provides, id)
    const version = versionOf(contract) ?? ranged ?? (contract === slug ? '1.0.0' : undefined)
    if (version === undefined) return
    const entry = offers.get(contract) ?? { version, tokens: {} }
    offers.set(contract, entry)
    add(entry.tokens, kind, name)
    if (ranged !== undefined && ranged !== version) entry.versions = { ...entry.versions, [name]: ranged }
    for (const old of was) entry.was = { ...entry.was, [old]: name }
  }
  for (const token of services) offer(kindOf(token), token.id)
  for (const id of reads) offer('read', id)
  for (const { kind, id, was } of used) {
    const [contract] = partsOf(id)
    const isOwn = ownOf(provides, contract) !== undefined || contract === slug
    if (isOwn && kind !== 'service' && kind !== 'services' && kind !== 'read') offer(kind, id, was)
  }
  for (const id of Object.keys(points)) offer('point', id)
  for (const { name } of contributes.guards ?? []) offer('guard', `${slug}.${name}`)
  return Object.fromEntries([...offers].sort(([a], [b]) => a.localeCompare(b)))
}

function usesOf(
  { slug, needs = {}, wants = {}, provides = {}, contributes = {} }: Manifest,
  used: readonly UsedToken[],
  { wants: wanted, provides: services, reads }: Entries,
  folder: string,
): Pick<Declared, 'errors' | 'warnings'> & { uses: Contracts['uses'] } {
  const uses = new Map<string, Contracts['uses'][string]>()
  const undeclared = new Map<string, { id: string; file: string; importer: string }[]>()
  const implemented = new Set([...services.map(({ id }) => id), ...reads])
  const isOwn = (contract: string) => contract === slug || contract === 'kernel' || ownOf(provides, contract) !== undefined
  const touched = new Set<string>()
  const take = (kind: string, id: string, from?: { file: string; importer: string }) => {
    const [contract, name] = partsOf(id)
    if (isOwn(contract) || implemented.has(id)) {
      touched.add(contract).add(id)
      return
    }
    const declared = declarationOf(id, { needs, wants })
    if (!declared) {
      if (from) undeclared.set(contract, [...(undeclared.get(contract) ?? []), { id, ...from }])
      return
    }
    touched.add(declared.key)
    const isNeeded = declared.isNeeded && !wanted.has(id)
    const entry = uses.get(contract) ?? { range: ownOf(needs, contract) ?? ownOf(wants, contract) ?? declared.range }
    uses.set(contract, entry)
    const part = isNeeded ? 'needs' : 'wants'
    entry[part] ??= {}
    add(entry[part], kind, name)
    if (declared.range !== entry.range) entry.ranges = { ...entry.ranges, [name]: declared.range }
  }
  for (const { kind, id, file, importer } of used) take(kind, id, { file, importer })
  for (const { slot } of contributes.slots ?? []) take('slot', slot)
  for (const name of (contributes.routes ?? []).flatMap(({ guards = [] }) => guards)) if (name.includes('.')) take('guard', name)
  for (const { place } of contributes.navigation ?? []) if (place.includes('.')) take('point', place)
  for (const [point, value] of Object.entries(contributes)) if (point.includes('.') && value !== undefined) take('point', point)
  const unused = (part: 'needs' | 'wants', declared: Record<string, string>) =>
    Object.keys(declared)
      .filter((key) => !touched.has(key))
      .map((key) => `plugin.json ${part} "${key}", and nothing of it is used`)
  return {
    uses: Object.fromEntries([...uses].sort(([a], [b]) => a.localeCompare(b))),
    errors: [...undeclared].map(([contract, uses]) => sentence(contract, uses, folder)),
    warnings: [...unused('needs', needs), ...unused('wants', wants)],
  }
}

interface Ranges {
  needs: Record<string, string>
  wants: Record<string, string>
}

/** A key for the very token wins over one for its contract; one for another token of the contract at least names the contract. */
function declarationOf(id: string, { needs, wants }: Ranges): { key: string; range: string; isNeeded: boolean } | undefined {
  const [contract] = partsOf(id)
  const others = [...Object.keys(needs), ...Object.keys(wants)].filter((key) => key.startsWith(`${contract}.`))
  for (const key of [id, contract, ...others]) {
    const needed = ownOf(needs, key)
    const range = needed ?? ownOf(wants, key)
    if (range !== undefined) return { key, range, isNeeded: needed !== undefined }
  }
  return undefined
}

const ownOf = <V>(record: Record<string, V>, name: string): V | undefined => (Object.hasOwn(record, name) ? record[name] : undefined)

function add(tokens: TokenNames, kind: string, name: string): void {
  const names = tokens[kind] ?? []
  if (!names.includes(name)) tokens[kind] = [...names, name].sort()
}

/** How the mistake reads, and what mends it. */
function sentence(contract: string, uses: readonly { id: string; file: string; importer: string }[], folder: string): string {
  const ids = [...new Set(uses.map(({ id }) => id))]
  const named = ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ')
  const { file = '', importer = '' } = uses[0] ?? {}
  const range = withinMajor(versionAt(file, contract) ?? '1.0.0')
  return `${relative(folder, importer)} uses ${named}; plugin.json names "${contract}" neither under "needs" nor "wants". Add "${contract}": "${range}" to one of them`
}

/** Version of the contract that a file is part of: what its plugin provides, or the version of its package. */
export function versionAt(file: string, contract: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    for (const name of ['plugin.json', 'package.json']) {
      if (!existsSync(join(folder, name))) continue
      const { version, provides } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Manifest
      return name === 'package.json' ? version : ownOf(provides ?? {}, contract)
    }
    if (dirname(folder) === folder) return undefined
  }
}
