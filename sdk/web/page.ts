import type { CallOptions, CallToken, ReplyOf } from '@stoa/sdk'
import type { ComponentType } from 'react'
import type { SiteState, Translate } from './page-facts.ts'

/** What a component draws of a reply. Its name tells it from other parts of the same reply: the page carries what `of` makes of it, and nothing else. */
export interface ReplyPart<T, P> {
  name: string
  of(reply: T): P
}

/** What `load` gets; runs on the server for the first view and in the browser for later ones. */
export interface PageRequest {
  params: Record<string, string>
  query: URLSearchParams
  language: string
  site: SiteState
  /** A call of the protocol, as the visitor on the server. Rejects like `Api.send`; a 404 with `allow404` becomes the 404 page. */
  get<C extends CallToken>(call: C, ...options: CallOptions<C, { allow404?: boolean }>): Promise<ReplyOf<C>>
  /** @deprecated Name the call by its token. */
  get<T>(path: string, options?: { query?: Record<string, string | number | boolean | undefined>; allow404?: boolean }): Promise<T>
  /** Ends loading with another address (302 on the server, replace in the browser). */
  redirect(path: string): never
  /** Ends loading with the 404 page. */
  notFound(): never
}

export interface PageProps<D = unknown> {
  data: D
  params: Record<string, string>
  /** Loads again and re-renders in place. */
  reload(): Promise<void>
}

export interface Head {
  title?: string
  description?: string
  /** Path or absolute address. */
  canonical?: string
  noindex?: boolean
  /** Picture for where the address is shared: path or absolute address. */
  image?: string
  keywords?: string[]
  /** schema.org data. */
  jsonLd?: object
}

/** What a page's module exports. */
export interface PageModule<D = unknown> {
  default: ComponentType<PageProps<D>>
  load?(request: PageRequest): Promise<D>
  head?(data: D, about: { t: Translate; site: SiteState; params: Record<string, string> }): Head
  /** The shape of the page, in place of the one before while its data takes more than a moment. Needs neither data nor texts. */
  Waiting?: ComponentType
}

/** What a slot contribution's module exports; the component gets the slot's `props`. */
export interface SlotModule {
  // biome-ignore lint/suspicious/noExplicitAny: the slot's owner describes the props
  default: ComponentType<any>
}
