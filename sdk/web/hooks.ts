import type { CallInput, CallToken, QueryOf, ReplyOf } from '@stoa/sdk'
import { useKernel } from './kernel.ts'
import type { ReplyPart } from './page.ts'
import type { Session } from './page-facts.ts'
import type { TapFunction, WebHook } from './web-hooks.ts'

type Query = Record<string, string | number | boolean | undefined>

export const useApi = () => useKernel().api
export const useLogin = () => useKernel().useLogin()
/** What a page can do about who is here, and how the site looks to them. */
export const useSession: () => Session = useKernel
export const useSite = () => useKernel().useSite()
/** `t('list.empty')` of the plugin's own namespace; plurals by `count`. */
export const useText = (slug: string) => useKernel().useText(slug)
export const useLanguage = () => useKernel().useLanguage()
/** What the site speaks: codes, and how each language calls itself. */
export const useLanguages = () => useKernel().useLanguages()
/** How the reader wants lists. Stylesheets know by `:root[data-lists="cards"]`; this is for the switch. */
export const useListView = () => useKernel().useListView()
export const useTimeZone = () => useKernel().useTimeZone()
export const usePlace = (name: string) => useKernel().usePlace(name)
export const usePageLeave = (active: boolean) => useKernel().usePageLeave(active)
export const useToast = () => useKernel().toast
export const useConfirm = () => useKernel().confirm
/** Reply of a call, for a component that renders it: suspends until it is there, and is asked again when what it depends on changes. */
export function useData<C extends CallToken>(
  call: C,
  ...query: object extends CallInput<C> ? [query?: QueryOf<C>] : [query: QueryOf<C>]
): ReplyOf<C>
/**
 * Of a large reply only what is drawn, so that pages carry no more.
 * @param part undefined for all of it
 * @param assumed what the reply is known to be, such as an empty list where the page knows a count of 0, always the same object: nobody is asked while
 * it is given, and as soon as it is undefined the call is
 */
export function useData<C extends CallToken, P = ReplyOf<C>>(
  call: C,
  query: QueryOf<C>,
  part: ReplyPart<ReplyOf<C>, P> | undefined,
  assumed?: P,
): P
/** @deprecated Name the call by its token. */
export function useData<T>(path: string, query?: Query): T
export function useData(call: string | CallToken, ...[query, part, assumed]: unknown[]): unknown {
  const path = typeof call === 'string' ? call : call.path
  return useKernel().useData(path, query as Query, part as ReplyPart<unknown, unknown> | undefined, assumed)
}
/** True while the plugin is on; re-renders on a switch. */
export function usePluginOn(slug: string): boolean {
  return useKernel()
    .usePlugins()
    .plugins.some((plugin) => plugin.slug === slug && plugin.enabled)
}

/** Joins a hook while the component is mounted; null while it has nothing to say. The latest function counts. */
export const useTap = <H extends WebHook>(hook: H, fn: TapFunction<H> | null): void => useKernel().useTap(hook, fn)
