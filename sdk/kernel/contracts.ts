import semver from 'semver'
import { wasSlot } from '../legacy/slot-names.ts'
import type { Manifest, Without } from '../shared/manifest.ts'
import { meant } from './nearest.ts'

/** One token that a plugin takes from another. */
export interface Use {
  contract: string
  /** Without the contract. */
  name: string
  /** As tokens have it; absent for a service of which only the id is known (built with sdk 1.0). */
  kind?: string
  range: string
  isNeeded: boolean
}

/** The parts of a manifest that say what is taken and given. */
export type Declaring = Pick<Manifest, 'slug' | 'needs' | 'wants' | 'provides' | 'contracts' | 'contributes'>

/** `votes.votable` → `['votes', 'votable']`. */
export function partsOf(id: string): [contract: string, name: string] {
  const dot = id.indexOf('.')
  return dot < 0 ? [id, ''] : [id.slice(0, dot), id.slice(dot + 1)]
}

const isService = (kind: string | undefined): boolean => kind === undefined || kind === 'service' || kind === 'services'
/** How people read it. */
const word = (kind = 'service'): string => (kind === 'point' ? 'contribution point' : kind === 'services' ? 'service' : kind)
const idOf = ({ contract, name }: Use): string => `${contract}.${name}`

const known = new WeakMap<Declaring, Use[]>()

/** Everything a plugin takes from others. */
export function usesOf(manifest: Declaring): Use[] {
  let uses = known.get(manifest)
  if (!uses) {
    uses = manifest.contracts ? builtUses(manifest.contracts) : [...idUses(manifest.needs, true), ...idUses(manifest.wants, false)]
    known.set(manifest, uses)
  }
  return uses
}

function builtUses({ uses }: NonNullable<Manifest['contracts']>): Use[] {
  return Object.entries(uses).flatMap(([contract, { range, needs = {}, wants = {}, ranges = {} }]) => {
    const ranged = new Map(Object.entries(ranges))
    return [needs, wants].flatMap((tokens) =>
      Object.entries(tokens).flatMap(([kind, names]) =>
        names.map((name) => ({ contract, name, kind, range: ranged.get(name) ?? range, isNeeded: tokens === needs })),
      ),
    )
  })
}

const idUses = (ranges: Record<string, string> = {}, isNeeded: boolean): Use[] =>
  Object.entries(ranges).map(([id, range]) => {
    const [contract, name] = partsOf(id)
    return { contract, name, range, isNeeded }
  })

/** Ids of what a plugin offers of a kind; nothing where that is not known (built with sdk 1.0). */
export function offeredIds({ contracts }: Declaring, kind: string): string[] {
  return Object.entries(contracts?.offers ?? {}).flatMap(([contract, { tokens }]) =>
    (own(tokens, kind) ?? []).map((name) => `${contract}.${name}`),
  )
}

/** Ids of the services that a plugin provides. */
export function servicesOf(manifest: Declaring): string[] {
  if (!manifest.contracts) return Object.keys(manifest.provides ?? {})
  return [...offeredIds(manifest, 'service'), ...offeredIds(manifest, 'services')]
}

const own = <V>(record: Record<string, V> | undefined, name: string): V | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** Version in which a plugin offers a token; undefined when it does not. `*`: built before this was noted, may have it. */
export function offered(manifest: Declaring, { contract, name, kind }: Use): string | undefined {
  const { provides = {}, contracts } = manifest
  // Manifests say themselves which guards there are.
  if (kind === 'guard') {
    const isThere = manifest.slug === contract && manifest.contributes?.guards?.some((guard) => guard.name === name)
    return isThere ? (own(contracts?.offers, contract)?.version ?? '*') : undefined
  }
  if (!contracts) {
    const version = own(provides, `${contract}.${name}`)
    if (isService(kind) || version !== undefined) return version
    return Object.keys(provides).some((id) => partsOf(id)[0] === contract) ? '*' : undefined
  }
  const offer = own(contracts.offers, contract)
  const kinds = kind === undefined ? ['service', 'services'] : [kind]
  if (!offer || !kinds.some((one) => own(offer.tokens, one)?.includes(name))) return undefined
  return own(offer.versions, name) ?? offer.version
}

/** Whether what a plugin offers is what another was built for. */
export function meets(manifest: Declaring, use: Use): boolean {
  const version = offered(manifest, use)
  return version !== undefined && (version === '*' || suits(version, use.range))
}

/** Answers of `suits`: a resolved set asks the same few hundred pairs again at each start, at each switch and in each worker. */
const suited = new Map<string, boolean>()
const KNOWN_PAIRS = 5_000

function suits(version: string, range: string): boolean {
  const pair = `${version} ${range}`
  let answer = suited.get(pair)
  if (answer === undefined) {
    answer = semver.satisfies(version, range)
    if (suited.size >= KNOWN_PAIRS) suited.clear()
    suited.set(pair, answer)
  }
  return answer
}

/** A contract that any number implement and whose owner asks them: nobody is missing. */
const isMetByNone = ({ kind }: Use): boolean => kind === 'services'

/** What a plugin needs and none of the others has, as the end of a sentence that begins with its slug; undefined when nothing is missing. */
export function missingNeed(manifest: Declaring, others: readonly Declaring[]): string | undefined {
  const use = missingUse(manifest, others)
  return use && `needs the ${word(use.kind)} ${idOf(use)} (${use.range})${why(use, others)}`
}

/** The first thing that a plugin needs and nobody of the others has. */
export const missingUse = (manifest: Declaring, others: readonly Declaring[]): Use | undefined =>
  usesOf(manifest).find((use) => use.isNeeded && !isMetByNone(use) && !others.some((other) => meets(other, use)))

function why(use: Use, others: readonly Declaring[]): string {
  const versions = others.flatMap((other) => offered(other, use) ?? [])
  if (versions.length > 0) return `; active plugins offer ${versions.join(', ')}`
  const near = others.find((other) => own(other.contracts?.offers, use.contract))
  const offer = own(near?.contracts?.offers, use.contract)
  if (!near || !offer) return ', which no active plugin offers'
  const names = Object.values(offer.tokens).flatMap((list) => list.map((name) => `${use.contract}.${name}`))
  return `; ${near.slug} has ${offer.version} of that contract, without it.${meant(idOf(use), names)}`
}

/** What plugins of a set are not given, although it is there: it has another version than the one they were built for. */
export class Cuts {
  /** Slug → `kind id` → what of it is there. */
  readonly #tokens = new Map<string, Map<string, Without>>()
  /** Services that a plugin is not given of one provider: asker, id and provider. */
  readonly #providers = new Set<string>()

  constructor(manifests: readonly Declaring[]) {
    const offering = new Map<string, Declaring[]>()
    for (const manifest of manifests) {
      const contracts = manifest.contracts
        ? Object.keys(manifest.contracts.offers)
        : Object.keys(manifest.provides ?? {}).map((id) => partsOf(id)[0])
      for (const contract of new Set(contracts)) offering.set(contract, [...(offering.get(contract) ?? []), manifest])
    }
    for (const manifest of manifests) {
      for (const use of [...usesOf(manifest), ...ownServices(manifest)])
        this.#look(
          manifest.slug,
          use,
          (offering.get(use.contract) ?? []).filter((other) => offered(other, use) !== undefined),
        )
    }
  }

  #look(slug: string, use: Use, there: readonly Declaring[]): void {
    const unfit = there.filter((other) => !meets(other, use))
    if (isService(use.kind)) for (const other of unfit) this.#providers.add(`${slug} ${idOf(use)} ${other.slug}`)
    const [first] = unfit
    if (!first || unfit.length < there.length || use.contract === slug) return
    const cut = this.#tokens.get(slug) ?? new Map<string, Without>()
    cut.set(`${use.kind ?? 'service'} ${idOf(use)}`, { contract: use.contract, range: use.range, version: offered(first, use) as string })
    this.#tokens.set(slug, cut)
  }

  /** Whether a plugin is to act as though nobody had this token. */
  has(slug: string, { kind, id }: { kind: string; id: string }): boolean {
    return this.#tokens.get(slug)?.has(`${kind} ${id}`) ?? false
  }

  /** False on a site whose plugins fit: then nobody has to be asked about. */
  get hasProviders(): boolean {
    return this.#providers.size > 0
  }

  /** Whether a plugin is not given a service of this provider. */
  hasProvider(slug: string, id: string, provider: string): boolean {
    return this.#providers.has(`${slug} ${id} ${provider}`)
  }

  /** Whether a plugin goes without anything at all. */
  hasAny(slug: string): boolean {
    return this.#tokens.has(slug)
  }

  /** One row for each contract that a plugin goes without, at least in part. */
  without(slug: string): Without[] {
    return [...new Map([...(this.#tokens.get(slug)?.values() ?? [])].map((row) => [row.contract, row])).values()]
  }
}

/** The owner of a contract asks all its implementers, within its own major version. */
function ownServices({ contracts }: Declaring): Use[] {
  return Object.entries(contracts?.offers ?? {}).flatMap(([contract, { version, tokens }]) =>
    (own(tokens, 'services') ?? []).map((name) => ({ contract, name, kind: 'services', range: withinMajor(version), isNeeded: false })),
  )
}

/** `1.4.2` → `^1.0.0`; `0.4.2` → `^0.4.0`. */
export function withinMajor(version: string): string {
  const { major, minor } = semver.parse(version) ?? { major: 0, minor: 0 }
  return major > 0 ? `^${major}.0.0` : `^0.${minor}.0`
}

/**
 * What a plugin fills or needs that no plugin of a site knows, on or off: probably misspelt.
 * @param all manifests of everything that is installed
 * @returns sentences, with the nearest name
 */
export function unknownNames(manifest: Manifest, all: readonly Manifest[]): string[] {
  const others = all.filter((other) => other.slug !== manifest.slug)
  const everybody = [...others, manifest]
  // What was built before contracts were declared may have anything.
  const vague = new Set(others.flatMap((other) => (other.contracts ? [] : [other.slug])))
  const ids = (kind: string) => everybody.flatMap((other) => offeredIds(other, kind))
  const former = everybody.flatMap(({ contracts }) => Object.values(contracts?.offers ?? {}).flatMap(({ was = {} }) => Object.keys(was)))
  const ofKernel = Object.entries(wasSlot).flatMap(([name, olds]) => [`kernel.${name}`, ...olds])
  const slots = new Set([...ids('slot'), ...former, ...ofKernel])
  const points = new Set(ids('point'))
  const say = (what: string, id: string, known: ReadonlySet<string>) =>
    known.has(id) || vague.has(partsOf(id)[0]) ? [] : [`No plugin of this site has the ${what} ${id}.${meant(id, known)}`]
  const { slots: filled = [], ...contributed } = manifest.contributes ?? {}
  const unmet = usesOf(manifest).filter(
    (use) => use.isNeeded && isService(use.kind) && !isMetByNone(use) && !everybody.some((other) => offered(other, use)),
  )
  return [
    ...filled.flatMap(({ slot }) => say('slot', slot, slots)),
    ...Object.keys(contributed).flatMap((id) => (id.includes('.') ? say('contribution point', id, points) : [])),
    ...unmet.flatMap((use) => say('service', idOf(use), new Set([...ids('service'), ...ids('services')]))),
  ]
}
