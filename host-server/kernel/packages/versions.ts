import semver from 'semver'
import type { PackageState } from '../../data/site/plugin-states.ts'
import { noPackage } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { Found } from './scan-folders.ts'

/** The versions of one plugin and what is decided about them. */
export interface Versions {
  /** What is to run while the plugin is on; absent when all that is left is a decision. */
  chosen: DiscoveredPlugin | undefined
  /** Lies in its folder, was not judged yet and is to take the place of `chosen`. */
  offered: DiscoveredPlugin | undefined
  bundled: DiscoveredPlugin | undefined
  /** Name of the version that is chosen and that this node does not have. */
  missing: string | undefined
  /** What ran before and can run again, newest first. */
  before: DiscoveredPlugin[]
}

const of = (list: readonly DiscoveredPlugin[], slug: string) => list.find((plugin) => plugin.manifest.slug === slug)

/**
 * Which version of a plugin runs. A version from the store wins over the one that came with the site while it is newer, or for good when it
 * was chosen by name; a folder in the data directory wins over what was taken from it before, once it has changed.
 */
export function versionsOf(found: Found, slug: string, state: PackageState = noPackage): Versions {
  const bundled = of(found.bundled, slug)
  const dropped = of(found.dropped, slug)
  const kept = found.kept.filter((plugin) => plugin.manifest.slug === slug)
  const byKey = (key: string) => (key === '' ? bundled : kept.find((plugin) => plugin.key === key))
  // A version that was taken from a folder goes with it.
  const stored = state.chosen === '' || (state.fromFolder && !dropped) ? undefined : byKey(state.chosen)
  const isOutdated = stored && bundled && !state.pinned && semver.gte(bundled.manifest.version, stored.manifest.version)
  const before = state.history
    .flatMap((key) => byKey(key) ?? [])
    .filter((plugin) => plugin !== stored)
    .reverse()
  const chosen = (isOutdated ? undefined : stored) ?? bundled ?? dropped
  const missing = state.chosen !== '' && !state.fromFolder && !stored ? state.chosen : undefined
  const isNew = dropped && dropped.generation !== state.judged && dropped.generation !== chosen?.generation
  return { chosen, offered: isNew ? dropped : undefined, bundled, missing, before }
}

/** Folders that a plugin was dropped in; one that cannot be used goes by its own name. */
export function droppedIn({ dropped, broken }: Found, slug: string): string[] {
  return [
    ...dropped.filter(({ manifest }) => manifest.slug === slug).map(({ folder }) => folder),
    ...broken.flatMap((entry) => (entry.slug === slug && entry.folder !== undefined ? [entry.folder] : [])),
  ]
}

/** Every slug that has at least one version. */
export function slugsOf(found: Found): string[] {
  return [...new Set([...found.bundled, ...found.dropped, ...found.kept].map((plugin) => plugin.manifest.slug))].sort()
}

/** Slugs that installed packages had before anything with them came with the site. */
export const ownedSlugs = (packages: ReadonlyMap<string, PackageState>): Set<string> =>
  new Set([...packages].flatMap(([slug, { ownsSlug }]) => (ownsSlug ? [slug] : [])))

/** Versions that a person can go back to. */
const HISTORY = 3

/**
 * The state after `next` took the place of what ran.
 * @param before what ran; absent when nothing did
 * @param how `bundled`: what comes with the site under its slug
 */
export function chosenNow(
  state: PackageState = noPackage,
  next: DiscoveredPlugin,
  before: DiscoveredPlugin | undefined,
  { bundled, ...how }: Partial<Pick<PackageState, 'pinned' | 'fromFolder' | 'untried'>> & Pick<Versions, 'bundled'>,
): PackageState {
  const key = next.key ?? ''
  const left = before && (before.key ?? '') !== key ? [...state.history.filter((old) => old !== key), before.key ?? ''] : state.history
  return {
    ...state,
    pinned: false,
    fromFolder: false,
    untried: false,
    ...how,
    ownsSlug: next.origin === 'installed' && bundled === undefined,
    chosen: key,
    history: [...new Set(left)].filter((old) => old !== key).slice(-HISTORY),
    ...(how.fromFolder && { judged: next.generation }),
  }
}

/** The state after going back to `target`. @param droppedFolder the folder the plugin was dropped in, which is not to take over again by itself */
export function rolledBack(state: PackageState, target: DiscoveredPlugin, droppedFolder: DiscoveredPlugin | undefined): PackageState {
  const key = target.key ?? ''
  return {
    ...state,
    chosen: key,
    pinned: key !== '',
    untried: false,
    history: state.history.includes(key) ? state.history.slice(0, state.history.indexOf(key)) : state.history,
    ...(droppedFolder && { judged: droppedFolder.generation }),
  }
}
