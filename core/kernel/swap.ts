import { flushSync } from 'react-dom'
import type { PageMap, PluginRow } from '../../sdk/pages/page-state.ts'
import type { Core } from './core.ts'
import { languageAtom } from './core.ts'
import { development } from './development.ts'
import { mapAtom, matchPage } from './registry.ts'

/**
 * Brings the tab to a new map. What the old generation of a plugin had loaded is loaded from the new one first; a plugin whose new code
 * cannot be had stays as it is. Then the map is replaced at once: routes and slots follow, state of other plugins is not touched.
 * @returns false when some plugin stayed behind, to be tried again
 */
export async function swapTo(core: Core, next: PageMap): Promise<boolean> {
  const before = core.map()
  if (next.tag === before.tag) return true
  const old = new Map(before.plugins.map((row) => [row[0], row]))
  const stayed = new Set<string>()
  await Promise.all(
    next.plugins.map(async ([slug, generation, ...row]) => {
      const previous = old.get(slug)
      if (!previous || previous[1] === generation) return
      try {
        await preload(core, previous[1], next, [slug, generation, ...row])
      } catch (error) {
        console.warn(`${slug} stays at generation ${previous[1].slice(0, 8)}: the new one cannot be loaded`, error)
        stayed.add(slug)
      }
    }),
  )
  const plugins = next.plugins.map((row) => (stayed.has(row[0]) ? (old.get(row[0]) as PluginRow) : row))
  const map: PageMap = { ...next, plugins, tag: stayed.size > 0 ? `${next.tag}-` : next.tag }
  if (stayed.size > 0) {
    const of = <R extends [string, ...unknown[]]>(fresh: R[] = [], present: R[] = []): R[] => [
      ...fresh.filter(([slug]) => !stayed.has(slug)),
      ...present.filter(([slug]) => stayed.has(slug)),
    ]
    map.taps = of(next.taps, before.taps)
    map.guards = of(next.guards, before.guards)
  }
  // Another where the one before has gone, or has come back.
  const { language } = next
  const isOther = language !== core.store.get(languageAtom)
  const changed = plugins.filter(([slug, generation]) => old.has(slug) && old.get(slug)?.[1] !== generation)
  if (next.core !== before.core) core.history.stale = true
  // Addresses of texts carry the tag of the new map.
  core.textsTag = map.tag
  await Promise.all(changed.map(([slug]) => core.texts.renew(slug, language)))
  if (isOther) await Promise.all(core.texts.namespaces().map((namespace) => core.texts.ensure(namespace, language)))
  development()?.refresh()
  const isFewer = before.plugins.some(([slug]) => plugins.every((row) => row[0] !== slug))
  const written = [...document.querySelectorAll<HTMLTextAreaElement>('main textarea')].filter(
    (field) => field.value.trim() !== '' && !field.closest('dialog'),
  )
  // At once and completely: what has left the page must not ask for its data again.
  flushSync(() => {
    core.store.set(languageAtom, language)
    core.store.set(mapAtom, map)
  })
  // Of a page that went itself its place says so.
  const isGone = (field: HTMLElement) => !field.isConnected && document.getElementById(field.id) === null
  if (isFewer && written.some(isGone) && matchPage(map, core.history.location.pathname)) {
    await core.texts.ensureWhole('core', language)
    core.kernel.toast({ text: core.texts.translator('core', language)('error.off.field'), tone: 'info' })
  }
  core.loader.settle(map)
  return stayed.size === 0
}

/** Modules of the old generation that the new one has too. */
async function preload(
  core: Core,
  oldGeneration: string,
  { taps = [], guards = [] }: PageMap,
  [slug, generation, routes, slots]: PluginRow,
): Promise<void> {
  const own = [...taps, ...guards].filter((row) => row[0] === slug).map((row) => row[2])
  const there = new Set([...routes.map((row) => row[1]), ...slots.map((row) => row[1]), ...own])
  const wanted = core.loader.loadedOf(slug, oldGeneration).filter((module) => there.has(module))
  await Promise.all(wanted.map((module) => core.loader.load(slug, generation, module)))
}
