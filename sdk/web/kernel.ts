import type { NavigationPlace, SlotToken } from '@stoa/sdk'
import type { ReactNode } from 'react'
import { createContext, use } from 'react'
import type { SentForm } from '../pages/page-state.ts'
import type { ReplyPart } from './page.ts'
import type { Api, ConfirmOptions, ListView, Login, NavigationItem, Session, SiteState, Toast, Translate } from './page-facts.ts'
import type { SlotProps, UntypedSlotProps } from './slot-props.ts'
import type { TapFunction, WebHook } from './web-hooks.ts'

export interface PluginState {
  slug: string
  enabled: boolean
}

/** What core hands to plugins through React context. Plugins use the hooks of `@stoa/sdk/web`, not this. */
export interface WebKernel extends Session {
  api: Api
  /** True while rendering on the server. */
  isServer: boolean
  /** Unix seconds at which the server wrote the page: what is relative to now starts from there. Undefined where no server did. */
  renderedAt?: number
  /** What came back of a form that was sent without scripts, until the page is left. */
  sentForm?: SentForm | undefined
  useLogin(): Login
  useSite(): SiteState
  usePlugins(): { epoch: number; plugins: PluginState[] }
  toast(toast: Toast): void
  confirm(options: ConfirmOptions): Promise<boolean>
  useText(namespace: string): Translate
  useLanguage(): string
  /** What the site speaks: codes, and how each language calls itself. */
  useLanguages(): readonly { code: string; label: string }[]
  useTimeZone(): string
  useListView(): ListView
  /**
   * Suspends until the reply is there; rendered on the server too; the browser does not ask again for what the page carries. `assumed`: what the reply
   * is known to be; nobody is asked while it is given.
   */
  useData<T, P = T>(path: string, query?: Record<string, string | number | boolean | undefined>, part?: ReplyPart<T, P>, assumed?: P): P
  /** Path of a named place, or undefined when no active plugin claims it. */
  usePlace(name: string): string | undefined
  useNavigation(place: NavigationPlace): NavigationItem[]
  /** Contributions of a slot of active plugins, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: slots of any props
  Slot: (props: SlotProps<SlotToken<any>> | UntypedSlotProps) => ReactNode
  /** Blocks leaving (router, reload, close) with a prompt while `active`. */
  usePageLeave(active: boolean): void
  /** See {@link webHooks}. */
  useTap<H extends WebHook>(hook: H, fn: TapFunction<H> | null): void
  /** Hears pushes of the server; `useLive` of `@stoa/sdk/web/live` says how. @returns what ends it */
  listen(id: string, topic: string, fn: (payload: unknown) => void, onBegin: () => void): () => void
  /** Error page in place of the outlet. */
  showError(status: 403 | 404 | 500, message?: string): void
}

export const KernelContext = createContext<WebKernel | null>(null)

export function useKernel(): WebKernel {
  const kernel = use(KernelContext)
  if (!kernel) throw new Error('A plugin component was rendered outside of the kernel')
  return kernel
}
