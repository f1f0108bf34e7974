import type { TapCondition } from '@stoa/sdk/manifest'
import type { NavigationItem } from '@stoa/sdk/web'
import { atom } from 'jotai'
import { matchRoutes } from 'react-router-dom'
import type { PageMap, PluginRow, RouteRow } from '../../sdk/pages/page-state.ts'
import { moduleId } from '../../sdk/pages/page-state.ts'

/** What is on in this tab. Replaced as a whole by a switch. */
export const mapAtom = atom<PageMap | null>(null)

export interface Route {
  slug: string
  generation: string
  path: string
  module: string
  layout: RouteRow[2]
  guards: string[]
  onServer: boolean
  title: string
}

export interface SlotEntry {
  /** Stays the same across generations. */
  id: string
  order: number
  slug: string
  generation: string
  module: string
  onServer: boolean
  /** Nothing of it is loaded for visitors. */
  forMembers: boolean
}

export interface TapEntry {
  id: string
  slug: string
  generation: string
  module: string
  when: TapCondition
  order: number
  onServer: boolean
}

export interface GuardEntry {
  id: string
  slug: string
  generation: string
  module: string
}

interface Index {
  /** First path segment → routes; patterns that start with a parameter stand under `*`. */
  routes: Map<string, Route[]>
  slots: Map<string, SlotEntry[]>
  /** What fills a slot with former ids, by these and it. */
  renamed: WeakMap<readonly string[], Map<string, SlotEntry[]>>
  /** By hook, in order. */
  taps: Map<string, TapEntry[]>
  /** By slug and name: `accounts.registrationOpen`. */
  guards: Map<string, GuardEntry>
  bySlug: Map<string, PluginRow>
  /** By pathname: frame, outlet and renderer ask one after the other for the same one, on the server for a few pages by turns. */
  latest: Map<string, PageMatch | null>
  /** By place and standing of the person. */
  navigations: Map<string, NavigationItem[]>
}

/** The route of an address with its parameters. */
type PageMatch = { route: Route; params: Record<string, string> }

const MOST_LATEST = 8

const indexes = new WeakMap<PageMap, Index>()

function indexOf(map: PageMap): Index {
  let index = indexes.get(map)
  if (!index) {
    index = buildIndex(map)
    indexes.set(map, index)
  }
  return index
}

/** Case does not count in addresses. */
const firstSegment = (path: string): string => (path.split('/')[1] ?? '').toLowerCase()

function buildIndex(map: PageMap): Index {
  const index: Index = {
    routes: new Map(),
    slots: new Map(),
    renamed: new WeakMap(),
    taps: new Map(),
    guards: new Map(),
    bySlug: new Map(),
    latest: new Map(),
    navigations: new Map(),
  }
  const slots: { slot: string; entry: SlotEntry }[] = []
  for (const row of map.plugins) {
    const [slug, generation, routes, contributions] = row
    index.bySlug.set(slug, row)
    for (const [path, module, layout, guards, render, title] of routes) {
      const first = firstSegment(path)
      const key = first.startsWith(':') || first === '*' ? '*' : first
      const list = index.routes.get(key) ?? []
      list.push({ slug, generation, path, module, layout, guards, onServer: render === 's', title })
      index.routes.set(key, list)
    }
    for (const [slot, module, order, render] of contributions) {
      slots.push({
        slot,
        entry: { id: moduleId(slug, module), order, slug, generation, module, onServer: render === 's', forMembers: render === 'm' },
      })
    }
  }
  slots.sort((a, b) => a.entry.order - b.entry.order)
  for (const { slot, entry } of slots) index.slots.set(slot, [...(index.slots.get(slot) ?? []), entry])
  const part = (slug: string, module: string) => ({
    id: moduleId(slug, module),
    slug,
    generation: index.bySlug.get(slug)?.[1] ?? '',
    module,
  })
  for (const [slug, hook, module, when, order, render] of map.taps ?? []) {
    index.taps.set(hook, [...(index.taps.get(hook) ?? []), { ...part(slug, module), when, order, onServer: render === 's' }])
  }
  for (const entries of index.taps.values()) entries.sort((a, b) => a.order - b.order)
  for (const [slug, name, module] of map.guards ?? []) index.guards.set(`${slug}.${name}`, part(slug, module))
  return index
}

/** The routes that an address may fit, as the library ranks and compiles all that it is given with each match: six take 18 µs, one 5 (measured). */
function routesAt(map: PageMap, pathname: string): Route[] {
  const { routes } = indexOf(map)
  const parts = pathname.replace(/\/$/, '').toLowerCase().split('/')
  return [...(routes.get(firstSegment(pathname)) ?? []), ...(routes.get('*') ?? [])].filter(({ path }) => mayFit(path, parts))
}

/** False only where it is plain: of what patterns may say, the number of their parts and what stands in these is looked at. */
function mayFit(path: string, parts: readonly string[]): boolean {
  if (path.includes('*') || path.includes('//') || parts.includes('', 1)) return true
  const wanted = path.replace(/\/$/, '').toLowerCase().split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.includes(':') || (parts[index] as string).includes('%') || part === parts[index])
  )
}

/** Null: no active plugin has such a page. */
export function matchPage(map: PageMap, pathname: string): PageMatch | null {
  const { latest } = indexOf(map)
  const known = latest.get(pathname)
  if (known !== undefined) return known
  const match = matchRoutes(routesAt(map, pathname), pathname)?.at(-1)
  const found = match ? { route: match.route, params: match.params as Record<string, string> } : null
  if (latest.size >= MOST_LATEST) latest.clear()
  latest.set(pathname, found)
  return found
}

/** The same list for the same map, place and standing. */
export function navigationOf(map: PageMap, where: string, is: { member: boolean; staff: boolean; admin: boolean }): NavigationItem[] {
  const { navigations } = indexOf(map)
  const key = `${is.member} ${is.staff} ${is.admin} ${where}`
  const known = navigations.get(key)
  if (known) return known
  const items = map.navigation
    .filter(([, place, , , , , , audience]) => place === where && (audience === 'everybody' || is[audience]))
    .sort((a, b) => a[6] - b[6])
    .map(([slug, , path, label, icon, group]) => ({ slug, path, label, icon, group }))
  navigations.set(key, items)
  return items
}

const none: never[] = []
/** What fills a slot under its id or a former one, in order, each module once. */
export function slotEntries(map: PageMap, slot: string, was: readonly string[] = []): SlotEntry[] {
  const { slots, renamed } = indexOf(map)
  if (was.length === 0) return slots.get(slot) ?? none
  const known = renamed.get(was) ?? new Map<string, SlotEntry[]>()
  renamed.set(was, known)
  const found =
    known.get(slot) ??
    [...new Map([slot, ...was].flatMap((id) => slots.get(id) ?? none).map((entry) => [entry.id, entry])).values()].sort(
      (a, b) => a.order - b.order,
    )
  known.set(slot, found)
  return found
}
export const tapEntries = (map: PageMap, hook: string): TapEntry[] => indexOf(map).taps.get(hook) ?? none
export const guardEntry = (map: PageMap, name: string): GuardEntry | undefined => indexOf(map).guards.get(name)
/** Path of a named place; names come from plugins. */
export const placeOf = ({ places }: PageMap, name: string): string | undefined =>
  Object.hasOwn(places, name) ? places[name] : name === 'home' ? '/' : undefined
export const pluginRow = (map: PageMap, slug: string): PluginRow | undefined => indexOf(map).bySlug.get(slug)
