import { escapeHtml } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'
import type { CoreManifest } from '../../core/build.ts'
import { isOfGroup } from '../../sdk/pages/i18n.ts'
import { inlineJson } from '../../sdk/pages/inline-json.ts'
import type { ModuleRef, PageMap, PageState } from '../../sdk/pages/page-state.ts'
import { CORE_FILES, filesOf, START_NAMESPACE } from '../../sdk/pages/page-state.ts'
import { kernelSlots } from '../../sdk/web/kernel-slots.ts'
import type { PluginSet } from '../shared/types.ts'
import { factsFor } from './facts-for.ts'
import type { Joined, JoinedFiles } from './joined-files.ts'
import type { DocumentLink } from './links.ts'
import { linksOf } from './links.ts'
import type { PageTexts } from './page-texts.ts'
import type { DrawnPage, DrawnWith } from './render-messages.ts'

/** What a document says of the modules and texts that its page was drawn with. */
export interface DrawnParts {
  /** Elements of the head: the sheets of all these. */
  sheets: string
  /** Elements of the head: their scripts with digests, so that these arrive beside core and not after it. */
  scripts: string
  links: readonly DocumentLink[]
  /** Members of the page's state, as JSON for a document; texts that many pages have are one buffer. */
  state: readonly (string | Buffer)[]
}

/** What of them another page that draws with the same modules has too. */
interface Kept extends Omit<DrawnParts, 'state'> {
  trees: [namespace: string, tree: Tree][]
  /** Members of the page's state, but for texts. */
  state: string
}

interface Options {
  core: CoreManifest
  texts: PageTexts
  siteLanguage(): string
  /** Absent where every file is loaded by itself. */
  joined: JoinedFiles | undefined
}

type Tree = Record<string, unknown>

/** Of a set: pages are drawn with few selections of modules. */
const MOST_KEPT = 200
/** Selections of a tree. */
const MOST_SELECTED = 50

/**
 * Most pages are drawn with the modules that another was drawn with: what follows from these is put together once. For each page it was an eighth of the
 * main thread's time (measured).
 */
export class DrawnPartsBook {
  readonly #options: Options
  /** By set, as maps outlive theirs: tabs ask for them. */
  readonly #kept = new WeakMap<PluginSet, LRUCache<string, Kept>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** @param drawnWith see {@link DrawnWith}, as JSON @param groups of the texts that are needed; absent where all are */
  async of(set: PluginSet, map: PageMap, drawnWith: string, isMember: boolean, groups?: DrawnPage['groups']): Promise<DrawnParts> {
    const kept = this.#kept.get(set) ?? new LRUCache<string, Kept>({ max: MOST_KEPT })
    this.#kept.set(set, kept)
    const key = `${map.tag} ${map.language} ${this.#options.siteLanguage()} ${isMember} ${drawnWith}`
    const found = kept.get(key) ?? (await this.#make(set, map, JSON.parse(drawnWith) as DrawnWith, isMember))
    kept.set(key, found)
    const { sheets, scripts, links, trees, state } = found
    return { sheets, scripts, links, state: [...textsOf(trees, groups), state] }
  }

  async #make(set: PluginSet, map: PageMap, drawn: DrawnWith, isMember: boolean): Promise<Kept> {
    const { core, texts, joined: files } = this.#options
    const { use } = drawn
    // A document is a visitor's; what it shows to members only comes with it as well.
    const needed = isMember ? [...use, ...soonOf(set, map, drawn), ...fillersOf(map, kernelSlots.headerPerson.id)] : use
    const namespaces = new Set([...drawn.namespaces, ...needed.map(([slug]) => slug)])
    namespaces.delete(START_NAMESPACE)
    const ui = kitOf(set, needed)
    const joined = await files?.of(set, needed, ui)
    const facts = factsOf(set, needed, joined)
    const about = { core, map, use, ui, facts, joined }
    return {
      sheets: sheetsOf(about),
      scripts: scriptsOf(about),
      links: linksOf(set, drawn.route, (slug, key) => texts.text(slug, key, map.language)),
      trees: [...namespaces].map((namespace) => [namespace, texts.tree(namespace, map.language)]),
      state: inlineJson({ facts, ...(joined && { sheets: joined.sheets }), use }).slice(1, -1),
    }
  }
}

/** What only browsers draw and need at once: the page, and what fills the slots that its route brings. */
function soonOf(set: PluginSet, map: PageMap, { soon, route }: DrawnWith): ModuleRef[] {
  const brought = soon.flatMap(([slug]) => {
    const owner = set.plugins.find(({ manifest }) => manifest.slug === slug)
    return owner?.manifest.contributes.routes?.find(({ path }) => path === route)?.brings ?? []
  })
  return [...soon, ...[...new Set(brought)].flatMap((slot) => fillersOf(map, slot))]
}

/** What fills a slot. */
const fillersOf = ({ plugins }: PageMap, slot: string): ModuleRef[] =>
  plugins.flatMap(([slug, , , slots]) => slots.filter(([filled]) => filled === slot).map(([, module]): ModuleRef => [slug, module]))

/** Components of the kit that the page's modules draw with. */
function kitOf(set: PluginSet, use: readonly ModuleRef[]): string[] {
  const bySlug = new Map(set.plugins.map(({ manifest }) => [manifest.slug, manifest.build.web]))
  return [...new Set(use.flatMap(([slug, module]) => bySlug.get(slug)?.modules[module]?.ui ?? []))]
}

/** Of plugins whose entry is loaded by itself. */
function factsOf(set: PluginSet, use: readonly ModuleRef[], joined: Joined | undefined): PageState['facts'] {
  const facts: PageState['facts'] = {}
  for (const { manifest, generation } of set.plugins) {
    const { slug, build } = manifest
    const modules = use.filter(([owner]) => owner === slug).map(([, module]) => module)
    if (build.web && modules.length > 0 && !joined?.members.has(filesOf(slug, generation) + build.web.entry))
      facts[slug] = factsFor(build.web, modules)
  }
  return facts
}

/** By the groups of a tree that pages have; undefined where that is all of it. */
const selected = new WeakMap<Tree, LRUCache<string, { some: Tree | undefined }>>()

function selectedOf(tree: Tree, groups: string): Tree | undefined {
  const known = selected.get(tree) ?? new LRUCache({ max: MOST_SELECTED })
  selected.set(tree, known)
  const found = known.get(groups) ?? { some: groupsOf(tree, groups.split(' ')) }
  known.set(groups, found)
  return found.some
}

/** @returns undefined where that is all there is, or where one text names others, which may stand anywhere */
function groupsOf(tree: Tree, names: readonly string[]): Tree | undefined {
  const some = Object.fromEntries(Object.entries(tree).filter(([name]) => names.some((group) => isOfGroup(name, group))))
  return Object.keys(some).length === Object.keys(tree).length || JSON.stringify(some).includes('$t(') ? undefined : some
}

/** Members `texts` and `part` of the state. */
function textsOf(trees: Kept['trees'], groups: DrawnPage['groups'] | undefined): (string | Buffer)[] {
  const part: string[] = []
  const members = trees.flatMap(([namespace, tree], index) => {
    const some = groups && selectedOf(tree, groups[namespace] ?? '')
    if (some) part.push(namespace)
    return [`${index > 0 ? ',' : ''}${inlineJson(namespace)}:`, writtenOnce(some ?? tree)]
  })
  return ['"texts":{', ...members, '},', part.length > 0 ? `"part":${inlineJson(part)},` : '']
}

interface Files {
  core: CoreManifest
  map: PageMap
  use: readonly ModuleRef[]
  /** Kit components whose files the page uses. */
  ui: readonly string[]
  facts: PageState['facts']
  joined: Joined | undefined
}

function scriptsOf({ core, map, use, ui, facts, joined }: Files): string {
  const hints = new Map<string, string | undefined>()
  for (const name of ui) for (const file of core.ui[name]?.js ?? []) hints.set(CORE_FILES + file, core.integrity[file])
  for (const [slug, module] of use) {
    const own = facts[slug]
    const generation = generationOf(map, slug)
    if (!own || !generation) continue
    for (const file of [own.entry, ...(own.modules[module]?.js ?? [])]) hints.set(filesOf(slug, generation) + file, own.integrity[file])
  }
  const all = joined?.js ? preload(joined.js.address, joined.js.integrity, ' data-joined') : ''
  return all + [...hints].map(([href, integrity]) => (joined?.members.has(href) ? '' : preload(href, integrity))).join('')
}

function sheetsOf({ core, map, use, ui, facts, joined }: Files): string {
  const links = new Map<string, string>()
  for (const file of core.css) links.set(CORE_FILES + file, sheetLink(CORE_FILES + file, core.integrity[file]))
  if (joined?.css) links.set('joined', sheetLink(joined.css.address, joined.css.integrity, ' data-joined'))
  for (const file of ui.flatMap((name) => core.ui[name]?.css ?? []))
    links.set(CORE_FILES + file, sheetLink(CORE_FILES + file, core.integrity[file]))
  for (const [slug, href] of map.styles) links.set(href, sheetLink(href, undefined, ` data-style="${slug}"`))
  for (const [slug, module] of use) {
    const own = facts[slug]
    const generation = generationOf(map, slug)
    for (const file of (generation && own?.modules[module]?.css) || []) {
      const href = filesOf(slug, generation as string) + file
      links.set(href, sheetLink(href, own?.integrity[file], ` data-plugin="${slug}@${generation}"`))
    }
  }
  for (const href of joined?.members ?? []) links.delete(href)
  return [...links.values()].join('')
}

const generationOf = ({ plugins }: PageMap, slug: string): string | undefined => plugins.find((row) => row[0] === slug)?.[1]

/** Element of the head. */
export const sheetLink = (href: string, integrity: string | undefined, extra = ''): string =>
  `<link rel="stylesheet" href="${escapeHtml(href)}"${integrity ? ` integrity="${integrity}"` : ''}${extra}>`
/** Element of the head. */
export const preload = (href: string, integrity: string | undefined, extra = ''): string =>
  `<link rel="modulepreload" fetchpriority="low" href="${escapeHtml(href)}"${integrity ? ` integrity="${integrity}"` : ''}${extra}>`

/** What is the same object on many pages is written once: it is most of a page's state. */
const written = new WeakMap<object, Buffer>()

export function writtenOnce(value: object): Buffer {
  const bytes = written.get(value) ?? Buffer.from(inlineJson(value))
  written.set(value, bytes)
  return bytes
}
