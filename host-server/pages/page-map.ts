import { createHash } from 'node:crypto'
import { Cuts } from '@stoa/sdk/kernel'
import type { CoreManifest } from '../../core/build.ts'
import { wasSlot } from '../../sdk/legacy/slot-names.ts'
import type { NavigationRow, PageMap, PluginRow, SlotRow } from '../../sdk/pages/page-state.ts'
import type { DiscoveredPlugin, PluginSet } from '../shared/types.ts'

export interface MapParts {
  set: PluginSet
  core: CoreManifest
  language: string
  languages: { code: string; label: string }[]
  /** Text of a key in a plugin's own namespace, in the map's language. */
  text(slug: string, key: string): string
}

/** Changes whenever anything changes that a tab would have to take over. The same for all languages. */
export function tagOf(set: PluginSet, core: CoreManifest): string {
  const hash = createHash('sha256').update(`${set.epoch} ${core.hash}`)
  for (const plugin of set.plugins) hash.update(` ${plugin.manifest.slug}@${plugin.generation}`)
  return hash.digest('hex').slice(0, 24)
}

/** What is on, as tabs need to know it. Plugins that add nothing to pages stand in it too, with slug and generation. */
export function makePageMap({ set, core, language, languages, text }: MapParts): PageMap {
  const slots = slotsIn(set)
  const map: Required<PageMap> = {
    epoch: set.epoch,
    tag: tagOf(set, core),
    core: core.hash,
    language,
    plugins: set.plugins.map((plugin) => pluginRow(plugin, text, slots)),
    navigation: [],
    places: {},
    boot: {},
    languages: languages.map(({ code, label }) => ({ code, label })),
    styles: [],
    taps: [],
    guards: [],
  }
  for (const plugin of set.plugins) {
    const { manifest, generation } = plugin
    const { slug, contributes } = manifest
    for (const item of contributes.navigation ?? []) {
      const label = text(slug, item.text)
      const row: NavigationRow = [
        slug,
        item.place,
        item.path,
        label,
        item.icon ?? '',
        item.group ? text(slug, item.group) : '',
        item.order ?? 100,
        item.for ?? 'everybody',
      ]
      map.navigation.push(row)
    }
    Object.assign(map.places, contributes.places)
    Object.assign(map.boot, contributes.boot)
    for (const file of contributes.styles ?? []) map.styles.push([slug, `/static/js/${slug}/${generation}/${file}`])
    for (const { hook, module, when = {}, order = 100, render } of (contributes.taps ?? []).filter(isBuilt(plugin)))
      map.taps.push([slug, hook, module, when, order, render === 'server' ? 's' : 'c'])
    for (const { name, module } of (contributes.guards ?? []).filter(isBuilt(plugin))) map.guards.push([slug, name, module])
  }
  return map
}

/** How the slots of a set are to be filled. */
interface SlotFacts {
  cuts: Cuts
  /** Id of a slot → former ids that some page may still ask for. */
  was: ReadonlyMap<string, string[]>
}

/** Pages built with sdk 1.0 know slots by their former ids only; where there are none, tokens know their own. */
function slotsIn({ plugins }: PluginSet): SlotFacts {
  const manifests = plugins.map(({ manifest }) => manifest)
  const was = new Map<string, string[]>()
  const note = (id: string, old: string) => was.set(id, [...(was.get(id) ?? []), old])
  if (manifests.some(({ contracts, build }) => build.web && !contracts)) {
    for (const [name, olds] of Object.entries(wasSlot)) for (const old of olds) note(`kernel.${name}`, old)
    for (const { contracts } of manifests)
      for (const [contract, offer] of Object.entries(contracts?.offers ?? {}))
        for (const [old, name] of Object.entries(offer.was ?? {})) note(`${contract}.${name}`, old)
  }
  return { cuts: new Cuts(manifests), was }
}

/** What was named and not built is not there. */
const isBuilt =
  ({ manifest }: DiscoveredPlugin) =>
  ({ module }: { module: string }) =>
    manifest.build.web?.modules[module] !== undefined

const renderMarks = { server: 's', client: 'c', member: 'm' } as const

function pluginRow(plugin: DiscoveredPlugin, text: MapParts['text'], { cuts, was }: SlotFacts): PluginRow {
  const { manifest, generation } = plugin
  const { slug, contributes } = manifest
  return [
    slug,
    generation,
    (contributes.routes ?? [])
      .filter(isBuilt(plugin))
      .map((route) => [
        route.path,
        route.module,
        route.layout,
        route.guards ?? [],
        route.render === 'server' ? 's' : 'c',
        route.title ? text(slug, route.title) : '',
      ]),
    (contributes.slots ?? [])
      .filter((slot) => isBuilt(plugin)(slot) && !cuts.has(slug, { kind: 'slot', id: slot.slot }))
      .flatMap(({ slot, module, order = 100, render = 'server' }) =>
        [slot, ...(was.get(slot) ?? [])].map((id): SlotRow => [id, module, order, renderMarks[render]]),
      ),
  ]
}
