import type { CallOptions, CallToken, ReplyOf } from '@stoa/sdk'
import type { ReactNode } from 'react'

/** Raw `GET user/info` reply; members beyond these belong to the plugin that answers the call. */
export interface CurrentPerson {
  id: string
  username: string
  display_name: string
  avatar: string | { type: string; gravatar: string; custom: string }
  /** Chosen by the person; empty, missing or UTC: none. */
  time_zone?: string
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
  custom_css_html?: Record<'custom_head' | 'custom_css' | 'custom_header' | 'custom_footer' | 'custom_sidebar', string>
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

export type Translate = (key: string, values?: Record<string, unknown>) => string

export interface ConfirmOptions {
  title: string
  text?: ReactNode
  confirm?: string
  cancel?: string | null
  tone?: 'danger' | 'normal'
}

export interface NavigationItem {
  slug: string
  path: string
  label: string
  icon: string
  group: string
}

/** What a page can do about who is here, and how the site looks to them. */
export interface Session {
  /** Stores a session token, fetches the person, goes on to the return address, the inactive screen or home. */
  login(token: string): Promise<void>
  /** Forgets person and token. */
  logout(): void
  /** Fetches the person again, at most every 10 s unless forced. */
  refreshPerson(force?: boolean): Promise<void>
  /** Remembers the present address and goes to the `login` place. */
  askForLogin(): void
  /** Fetches again what the site says of itself. */
  refreshSite(): Promise<void>
  setScheme(scheme: string): void
  setLanguage(language: string): Promise<void>
  /** Kept in this browser. */
  setListView(view: ListView): void
}

/** How the reader wants lists: documents say it by `data-lists` of their root, for stylesheets. */
export type ListView = 'rows' | 'cards'
