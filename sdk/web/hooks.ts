import { useKernel } from './kernel.ts'
import type { TapFunction, WebHook } from './web-hooks.ts'

export const useApi = () => useKernel().api
export const useLogin = () => useKernel().useLogin()
export const useSite = () => useKernel().useSite()
/** `t('list.empty')` of the plugin's own namespace; plurals by `count`. */
export const useText = (slug: string) => useKernel().useText(slug)
export const useLanguage = () => useKernel().useLanguage()
export const usePlace = (name: string) => useKernel().usePlace(name)
export const usePageLeave = (active: boolean) => useKernel().usePageLeave(active)
export const useToast = () => useKernel().toast
export const useConfirm = () => useKernel().confirm
export function useData<T>(path: string, query?: Record<string, string | number | boolean | undefined>): T {
  return useKernel().useData<T>(path, query)
}
/** True while the plugin is on; re-renders on a switch. */
export function usePluginOn(slug: string): boolean {
  return useKernel()
    .usePlugins()
    .plugins.some((plugin) => plugin.slug === slug && plugin.enabled)
}

/** Joins a hook while the component is mounted; null while it has nothing to say. The latest function counts. */
export const useTap = <H extends WebHook>(hook: H, fn: TapFunction<H> | null): void => useKernel().useTap(hook, fn)
