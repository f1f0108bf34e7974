import type { ComponentType } from 'react'
import type { HookToken } from '../shared/tokens.ts'
import { bail, parallel, waterfall } from '../shared/tokens.ts'
import type { Api, ConfirmOptions, CurrentPerson, Login, SiteState, Toast, Translate } from './page-facts.ts'

export interface Address {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
}

/** A change of the address. */
export interface Move {
  to: Address
  /** Undefined for the document itself. */
  from?: Address
  /** `pop`: back or on in the history; `document`: the first view, also while it is rendered on the server. */
  how: 'push' | 'replace' | 'pop' | 'document'
}

/** A call that is about to be sent. */
export interface OutgoingCall {
  readonly method: string
  /** Without query. */
  readonly path: string
  /** Of the body; of a GET those of the query, of an upload those beside the file. Empty for a body that is no object. */
  fields: Record<string, unknown>
  /** Beside those of the kernel (`Authorization`, `Accept-Language`, `Content-Type`), which stay as they are. */
  headers: Record<string, string>
}

/** A call with its reply. */
export interface Exchange {
  /** As it was sent, with everything that taps have added. */
  readonly call: OutgoingCall
  /** HTTP status; 0 when no reply came. */
  readonly status: number
  readonly reason: string
  readonly msg: string
  readonly data: unknown
  /** Form errors by field name. */
  readonly fields: Record<string, string>
  /** 1 for the first reply of the call. */
  readonly attempt: number
}

/** Laid over what was sent; an empty one sends the same again, as who one is now. */
export interface Repeat {
  fields?: Record<string, unknown>
  headers?: Record<string, string>
}

export interface Preferences {
  /** `zh_CN` */
  language: string
  /** `light`, `dark` or `system` */
  scheme: string
}

export interface PreferencesChange {
  now: Preferences
  before: Preferences
  /** What the person chose just now, as they chose it (`Default` and `default` included). Undefined: it came with their session. */
  chosen?: Partial<Preferences>
}

/** What machines read of a page, while the server writes its document. */
export interface StructuredPage {
  /** schema.org data that the page itself has (`jsonLd` of its head). */
  data: Record<string, unknown>
  readonly path: string
}

/**
 * Moments of the browser core that plugins join: by a module that `contributes.taps` of `plugin.json` names, or with `useTap` while a
 * component is mounted. A tap that fails is skipped and charged to its plugin; after 10 s it is given up.
 */
export const webHooks = {
  /** Before an address is left for another path or query. `hold` stays here, `redirect` is a path of this site. */
  beforeNavigate: bail<(move: Move) => 'hold' | { redirect: string }>('kernel.beforeNavigate'),
  /** The page of the new address stands. */
  navigated: parallel<(move: Move) => void>('kernel.navigated'),
  /** Once per call: adds fields and headers. */
  beforeRequest: waterfall<(call: OutgoingCall) => OutgoingCall>('kernel.beforeRequest', {
    shape: { method: 'string', path: 'string', fields: 'object', headers: 'object' },
  }),
  /**
   * After each reply, before it is shown and before the caller has it. The first tap that answers has the call repeated: once per call, or
   * once per answer where it asked a person; at most five times together. A call without a reply is repeated only if it is a GET.
   */
  replied: bail<(exchange: Exchange) => Repeat>('kernel.replied'),
  /** A document with schema.org data is written: adds to it. Runs on the server only, so its taps are `"render": "server"`. */
  structuredData: waterfall<(page: StructuredPage) => StructuredPage>('kernel.structuredData', {
    shape: { data: 'object', path: 'string' },
  }),
  /** Somebody is logged in here. `found`: their session was there when the page came, or comes from another tab. */
  sessionOpened: parallel<(opened: { login: Login; how: 'login' | 'found' }) => void>('kernel.sessionOpened'),
  /** The person of the session was asked for again. */
  sessionRefreshed: parallel<(refreshed: { login: Login }) => void>('kernel.sessionRefreshed'),
  /** Logged out, here or in another tab, or the session is worth nothing any more. */
  sessionEnded: parallel<(ended: { person: CurrentPerson }) => void>('kernel.sessionEnded'),
  /** What the site says of itself was asked for again and is another. */
  siteChanged: parallel<(change: { now: SiteState; before: SiteState }) => void>('kernel.siteChanged'),
  /** Language or colour scheme of the page are others now, or the person chose one. */
  preferencesChanged: parallel<(change: PreferencesChange) => void>('kernel.preferencesChanged'),
}

export type WebHook = (typeof webHooks)[keyof typeof webHooks]

type Awaitable<T> = T | Promise<T>
type FunctionOf<H> = H extends HookToken<infer F> ? F : never

/** What a tap of a hook is; returning nothing has no opinion. */
export type TapFunction<H extends WebHook> = (
  about: Parameters<FunctionOf<H>>[0],
  context: TapContext,
) => Awaitable<ReturnType<FunctionOf<H>> | undefined | void>

/** What a dialog gets beside its own props. The first heading in it is its name. */
export interface Asking<Given> {
  /** Closes the dialog with an answer. */
  answer(given: Given): void
  /** Closes it without one. */
  cancel(): void
}

/** What a tap can do. */
export interface TapContext {
  /** Of its plugin. */
  slug: string
  /** Aborted when the plugin goes off or is swapped, when the tap is given up, and when what it was called for is over. */
  signal: AbortSignal
  /** Calls of the protocol. The tap that makes them does not see them. */
  api: Api
  t: Translate
  login(): Login
  session: {
    /** Stores a token and asks who it belongs to; the page stays where it is. */
    open(token: string): Promise<void>
    /** Asks for the person again. */
    refresh(): Promise<void>
  }
  site(): SiteState
  toast(toast: Toast): void
  /** Asks with the kernel's dialog. False also when nobody can answer any more. */
  confirm(options: ConfirmOptions): Promise<boolean>
  /**
   * Shows a dialog of the plugin; one at a time, others wait. The tap's time stands still meanwhile.
   * @param dialog `() => import('./code-dialog.tsx')`
   * @returns undefined when it was closed, when the page is left or the plugin goes off
   */
  ask<Props extends Asking<never>>(
    dialog: () => Promise<{ default: ComponentType<Props> }>,
    props: Omit<Props, keyof Asking<never>>,
  ): Promise<GivenBy<Props> | undefined>
}

type GivenBy<Props> = Props extends Asking<infer Given> ? Given : never

/** The default export of a module in `contributes.taps`. */
export interface Tap<H extends WebHook = WebHook> {
  readonly kind: 'tap'
  /** Id of the hook it is made for. */
  readonly hook: string
  readonly run: TapFunction<H>
}

/** Makes the default export of a module that `contributes.taps` names for the same hook. */
export function tap<H extends WebHook>(hook: H, run: TapFunction<H>): Tap<H> {
  return { kind: 'tap', hook: hook.id, run }
}

/** Whether a page may be shown. `wait`: nobody knows yet who is asking. A place is one of `contributes.places`. */
export type Verdict = 'pass' | 'wait' | { place: string; remember?: boolean } | { status: 403 }

/** What a guard decides by. On the server everybody is a visitor who is not known yet. */
export interface GuardRequest {
  login: Login
  site: SiteState
  pathname: string
}

/** The default export of a module in `contributes.guards`. */
export interface Guard {
  readonly kind: 'guard'
  readonly check: (request: GuardRequest) => Verdict
}

/** Makes the default export of a module that `contributes.guards` names. The check is pure and answers at once; one that throws refuses. */
export function guard(check: Guard['check']): Guard {
  return { kind: 'guard', check }
}

/**
 * Compiles when the default export of module `M` is a tap of the hook `H`, and {@link IsGuard} when it is a guard. `stoa-plugin check` writes one for
 * each entry of `contributes.taps` and `contributes.guards`.
 */
export type JoinsHook<H extends WebHook, M extends { default: Tap<H> }> = [H, M]
export type IsGuard<M extends { default: Guard }> = M
