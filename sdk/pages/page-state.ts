import type { NavigationContribution, RouteContribution, TapCondition } from '../shared/manifest.ts'
// By path: the server's types come here too, and the whole of sdk/web needs a DOM.
import type { SiteState } from '../web/page-facts.ts'

/** A route as it travels: path, module, layout, guards, `s` when the server renders it, translated title. */
export type RouteRow = [
  path: string,
  module: string,
  layout: RouteContribution['layout'],
  guards: string[],
  render: 's' | 'c',
  title: string,
]

/** A slot contribution as it travels: slot, module, order, `c` when only the browser renders it, `m` when it does so for members alone. */
export type SlotRow = [slot: string, module: string, order: number, render: 's' | 'c' | 'm']

/**
 * A plugin as it travels. Tabs whose core is older than the server load a fifth member, if there is one, when they start, so there is none:
 * what else a plugin has stands in rows of its own.
 */
export type PluginRow = [slug: string, generation: string, routes: RouteRow[], slots: SlotRow[]]

/** A tap as it travels; `s` when it runs on the server too. */
export type TapRow = [slug: string, hook: string, module: string, when: TapCondition, order: number, render: 's' | 'c']

/** A guard as it travels; the name is without the slug. */
export type GuardRow = [slug: string, name: string, module: string]

/** Texts are translated into the map's language already. */
export type NavigationRow = [
  slug: string,
  place: NavigationContribution['place'],
  path: string,
  label: string,
  icon: string,
  group: string,
  order: number,
  audience: NonNullable<NavigationContribution['for']>,
]

/** What is on, as a page needs to know it: everything but the code. */
export interface PageMap {
  epoch: number
  /** Changes with anything in the map, whatever the epoch. Part of the address of texts. */
  tag: string
  /** Build of core; a tab with another one loads a fresh document at its next navigation. */
  core: string
  language: string
  plugins: PluginRow[]
  navigation: NavigationRow[]
  places: Record<string, string>
  /** Calls that fill the start-up state. */
  boot: { site?: string; person?: string }
  languages: { code: string; label: string }[]
  /** Stylesheets of the plugins themselves: slug and address. */
  styles: [slug: string, href: string][]
  /** Of plugins in the order of `plugins`. A server that is older than the tab sends neither. */
  taps?: TapRow[]
  guards?: GuardRow[]
}

/** What to fetch for a plugin's modules; names are relative to the folder of the generation. */
export interface WebFacts {
  entry: string
  modules: Record<string, { expose: string; js: string[]; css: string[] }>
  /** File name → `sha384-…`. */
  integrity: Record<string, string>
}

export type ModuleRef = [slug: string, module: string]

/** Why a page shows an error in place of its content. */
export interface PageFailure {
  /** 500 stands for everything above, 503 for maintenance. */
  status: 403 | 404 | 500 | 503
  message?: string
}

/** What `load` gave for the address. */
export interface PageContent {
  /** Path and query it belongs to. */
  key: string
  data?: unknown
  failure?: PageFailure
}

/** A form that somebody without scripts sent and that was refused: its page stands again, with what was typed. */
export interface SentForm {
  /** Path of the call, without `/stoa/form`. */
  call: string
  /** Path and query of the page. */
  at: string
  /** Members that the call keeps, as they were typed. */
  values: Record<string, string>
  /** Errors by field name. */
  errors: Record<string, string>
  message: string
}

/** Field of a form that carries the members nobody types, as a query. */
export const FORM_MEMBERS = 'stoa:with'
/** Forms without scripts are sent to this and the path of a call. */
export const FORM_PREFIX = '/stoa/form'
/** Gives scripts the session that such a form has opened. */
export const SESSION_PATH = '/stoa/session'

/** What a page is drawn with. A document carries it as JSON, but for what {@link PageStart} has. */
export interface PageState {
  map: PageMap
  site: SiteState
  /** Scheme of the document: `light`, `dark` or `system`. */
  scheme: string
  /** `cards`: how this reader wants lists. */
  lists?: string
  /** The browser's time zone as it told before. */
  zone?: string
  /** Unix seconds at which the page was written. */
  at: number
  /** Namespace → texts in the map's language. */
  texts: Record<string, Record<string, unknown>>
  /** Namespaces of which only those texts are there that the page was drawn with. */
  part?: string[]
  /** Of the modules this page uses, not complete. Those in the page's joined file stand there. */
  facts: Record<string, WebFacts>
  /** Addresses of the sheets in the page's joined sheet, in its order: one rule each. */
  sheets?: string[]
  page: PageContent | null
  /** Replies that components asked for, by path and query. */
  replies: Record<string, unknown>
  /** Modules that must be there before the first render. */
  use: ModuleRef[]
  /** Contributions that failed on the server: left out at first in the browser too. */
  failed: string[]
  form?: SentForm
  /** False: the HTML is empty and is rendered, not hydrated. */
  rendered: boolean
}

/** What all pages of a set have in common in a language: a file of its own, which browsers and proxies keep. */
export interface PageStart {
  map: PageMap
  texts: Record<string, unknown>
}

/** Texts that stand in the start. */
export const START_NAMESPACE = 'core'

/** Inlined in every document as JSON: what {@link PageStart} has is left out, and `sheets` are names, see {@link sheetName}. */
export interface InlinedState extends Omit<PageState, 'map'> {
  /** Address of the start. */
  start: string
}

/** Folder of the files of core. */
export const CORE_FILES = '/static/core/'
/** Folder of a generation's public files. */
export const filesOf = (slug: string, generation: string): string => `/static/js/${slug}/${generation}/`
/** A plugin's file without its generation, which the map has: `search/box.css`. Other addresses are names themselves. */
export const sheetName = (address: string): string => address.replace(/^\/static\/js\/([^/]+)\/[^/]+\//, '$1/')
export const sheetAddress = (name: string, { plugins }: PageMap): string => {
  const [, slug, file] = /^([^/]+)\/(.+)/.exec(name) ?? []
  return slug && file ? filesOf(slug, plugins.find(([one]) => one === slug)?.[1] ?? '') + file : name
}
export const startAddress = (tag: string, language: string): string => `/stoa/start/${tag}/${language}.json`
export const textsAddress = (tag: string, language: string, namespace: string): string => `/stoa/texts/${tag}/${language}/${namespace}.json`
/** Addresses of the error pages themselves. */
const errorPaths: Record<string, PageFailure['status']> = { '/403': 403, '/50x': 500, '/maintenance': 503 }
/** Status of an address that no active plugin has a page for. */
export const statusOf = (pathname: string): PageFailure['status'] => errorPaths[pathname] ?? 404
/** Name of an error page in texts. */
export const errorName = (status: PageFailure['status']): string =>
  status === 503 ? 'maintenance' : status === 500 ? '50x' : String(status)
export const PAGE_STATE_ID = 'stoa-page'
/** Primary colour → its stylesheet. The name is the content, so it can be cached for ever. */
export const primaryAddress = (color: string): string => `/static/primary-${color.slice(1).toLowerCase()}.css`
export const moduleId = (slug: string, module: string): string => `${slug}/${module}`
