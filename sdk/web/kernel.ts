import type { CallOptions, CallToken, PropsOf, ReplyOf, SlotToken } from '@stoa/sdk'
import type { ComponentType, ReactNode } from 'react'
import { createContext, use } from 'react'
import type { TapFunction, WebHook } from './web-hooks.ts'

/** Raw `GET user/info` reply; members beyond these belong to the plugin that answers the call. */
export interface CurrentPerson {
  id: string
  username: string
  display_name: string
  avatar: string | { type: string; gravatar: string; custom: string }
  rank: number
  role_id: number
  status: string
  mail_status: number
  language: string
  color_scheme: string
  access_token?: string
  [member: string]: unknown
}

/** Derived login state of the specification's section 4. */
export interface Login {
  /** Null for visitors, and while `known` is false (the server's HTML, the first moment in the browser). */
  person: CurrentPerson | null
  known: boolean
  isLoggedIn: boolean
  isActivated: boolean
  isInactive: boolean
  isForbidden: boolean
  isNormal: boolean
  isAdmin: boolean
  isModerator: boolean
  /** Admin or moderator. */
  isStaff: boolean
}

/** `GET siteinfo` reply; the kernel reads general, interface, theme, login and branding from it. */
export interface SiteState {
  general?: { name: string; description: string; short_description: string; site_url: string; permalink?: number }
  interface?: { language: string; time_zone: string }
  theme?: { theme: string; color_scheme: string; theme_config: Record<string, { navbar_style: string; primary_color: string }> }
  login?: { login_required: boolean; allow_new_registrations: boolean; allow_email_registrations: boolean; allow_password_login: boolean }
  branding?: { logo: string; mobile_logo: string; square_icon: string; favicon: string }
  // biome-ignore lint/suspicious/noExplicitAny: groups of plugins
  [group: string]: any
}

export interface ApiOptions {
  /** Query; undefined members are left out. */
  query?: Record<string, string | number | boolean | undefined>
  /** A 404 shows the global error page instead of rejecting. */
  allow404?: boolean
  /** A 400 rejects with `ApiError` and shows nothing. */
  passingError?: boolean
  /** A 500 does not show the global error page. */
  ignoreServerError?: boolean
  signal?: AbortSignal
}

/** What a rejected call carries. Already shown to the person when `shown`. */
export interface ApiError extends Error {
  name: 'ApiError'
  code: number
  reason: string
  msg: string
  data: unknown
  /** Form errors by field name. */
  fields: Record<string, string>
  shown: boolean
}

/** Calls of the protocol: token, language, 10 s time-out, envelope and error catalogue are handled; resolves to `data`. */
export interface Api {
  /** A call by its token: `api.send(entryCalls.create, { body: { text }, passingError: true })`. */
  send<C extends CallToken>(call: C, ...options: CallOptions<C, Omit<ApiOptions, 'query'>>): Promise<ReplyOf<C>>
  /** @deprecated Name the call by its token: {@link Api.send}. So with `post`, `put` and `del`. */
  get<T>(path: string, options?: ApiOptions): Promise<T>
  post<T>(path: string, body?: unknown, options?: ApiOptions): Promise<T>
  put<T>(path: string, body?: unknown, options?: ApiOptions): Promise<T>
  del<T>(path: string, body?: unknown, options?: ApiOptions): Promise<T>
  /** Multipart; `onProgress` gets 0 to 1. */
  upload<C extends CallToken>(
    call: C,
    fields: Record<string, string>,
    file: File,
    options?: ApiOptions & { onProgress?: (share: number) => void },
  ): Promise<ReplyOf<C>>
  /** @deprecated Name the call by its token. */
  upload<T>(
    path: string,
    fields: Record<string, string>,
    file: File,
    options?: ApiOptions & { onProgress?: (share: number) => void },
  ): Promise<T>
}

export type Toast = { text: string; tone: 'success' | 'danger' | 'info' }

export interface PluginState {
  slug: string
  enabled: boolean
}

export type Translate = (key: string, values?: Record<string, unknown>) => string

export interface ConfirmOptions {
  title: string
  text?: ReactNode
  confirm?: string
  cancel?: string | null
  tone?: 'danger' | 'normal'
}

/** What core hands to plugins through React context. Use the hooks below, not this. */
export interface WebKernel {
  api: Api
  /** True while rendering on the server. */
  isServer: boolean
  /** Unix seconds at which the server wrote the page: what is relative to now starts from there. Undefined where no server did. */
  renderedAt?: number
  useLogin(): Login
  useSite(): SiteState
  usePlugins(): { epoch: number; plugins: PluginState[] }
  /** Stores a session token, fetches the person, goes on to the return address, the inactive screen or home. */
  login(token: string): Promise<void>
  /** Forgets person and token. */
  logout(): void
  /** Fetches the person again, at most every 10 s unless forced. */
  refreshPerson(force?: boolean): Promise<void>
  refreshSite(): Promise<void>
  setScheme(scheme: string): void
  setLanguage(language: string): Promise<void>
  /** Remembers the present address and goes to the `login` place. */
  askForLogin(): void
  toast(toast: Toast): void
  confirm(options: ConfirmOptions): Promise<boolean>
  useText(namespace: string): Translate
  useLanguage(): string
  useTimeZone(): string
  /** Suspends until the reply is there; rendered on the server too; the browser does not ask again for what the page carries. */
  useData<T>(path: string, query?: Record<string, string | number | boolean | undefined>): T
  /** Path of a named place, or undefined when no active plugin claims it. */
  usePlace(name: string): string | undefined
  useNavigation(place: 'side' | 'admin' | 'person' | 'footer'): NavigationItem[]
  /** Contributions of a slot of active plugins, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: slots of any props
  Slot: ComponentType<SlotProps<SlotToken<any>> | UntypedSlotProps>
  /** Blocks leaving (router, reload, close) with a prompt while `active`. */
  usePageLeave(active: boolean): void
  /** See {@link webHooks}. */
  useTap<H extends WebHook>(hook: H, fn: TapFunction<H> | null): void
  /** Error page in place of the outlet. */
  showError(status: 403 | 404 | 500, message?: string): void
}

export interface NavigationItem {
  slug: string
  path: string
  label: string
  icon: string
  group: string
}

interface SlotSurroundings {
  /** Shown when nobody contributes. */
  empty?: ReactNode
  /** Shown while a contribution loads; reserve its space. */
  waiting?: ReactNode
}

/** `of`: the slot's token. `props`: what its type says, handed to each contribution. */
// biome-ignore lint/suspicious/noExplicitAny: slots of any props
export type SlotProps<T extends SlotToken<any>> = SlotSurroundings & { of: T } & (keyof PropsOf<T> extends never
    ? { props?: undefined }
    : {} extends PropsOf<T>
      ? { props?: PropsOf<T> }
      : { props: PropsOf<T> })

/** A place by its id, as sdk 1.0 had it. */
export interface UntypedSlotProps extends SlotSurroundings {
  id: string
  props?: object
  /** Only the first contribution (an editor, a captcha). */
  single?: boolean
}

export const KernelContext = createContext<WebKernel | null>(null)

export function useKernel(): WebKernel {
  const kernel = use(KernelContext)
  if (!kernel) throw new Error('A plugin component was rendered outside of the kernel')
  return kernel
}
