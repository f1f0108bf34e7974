import type { Person, ReadToken } from '@stoa/sdk'
import { defineErrors, event, read, series, service } from '@stoa/sdk'

/** Settings groups of the specification's section 15. Field names are the protocol's. */
export interface SettingsGroups {
  general: { name: string; short_description: string; description: string; site_url: string; contact_email: string; check_update: boolean }
  interface: { language: string; time_zone: string }
  branding: { logo: string; mobile_logo: string; square_icon: string; favicon: string }
  write: {
    restrict_answer: boolean
    required_tag: boolean
    recommend_tags: { slug_name: string; display_name: string }[]
    reserved_tags: { slug_name: string; display_name: string }[]
    /** MB. */
    max_image_size: number
    /** MB. */
    max_attachment_size: number
    max_image_megapixel: number
    authorized_image_extensions: string[]
    authorized_attachment_extensions: string[]
  }
  legal: {
    external_content_display: string
    terms_of_service_original_text: string
    terms_of_service_parsed_text: string
    privacy_policy_original_text: string
    privacy_policy_parsed_text: string
  }
  seo: { permalink: number; robots: string }
  login: {
    allow_new_registrations: boolean
    allow_email_registrations: boolean
    allow_password_login: boolean
    login_required: boolean
    /** Null until the owner saves a list; an empty one allows all as well. */
    allow_email_domains: string[] | null
  }
  users: {
    allow_update_display_name: boolean
    allow_update_username: boolean
    allow_update_avatar: boolean
    allow_update_bio: boolean
    allow_update_website: boolean
    allow_update_location: boolean
    default_avatar: 'system' | 'gravatar'
    gravatar_base_url: string
  }
  theme: { theme: string; color_scheme: string; theme_config: Record<string, { navbar_style: string; primary_color: string }> }
  'custom-css-html': { custom_css: string; custom_head: string; custom_header: string; custom_footer: string; custom_sidebar: string }
  /** Levels 1 to 3, or 99 with `custom_privileges` (permission name → reputation). */
  privileges: { level: number; custom_privileges: Record<string, number> }
}

export interface SiteSettings {
  get<G extends keyof SettingsGroups>(group: G): Promise<SettingsGroups[G]>
  set<G extends keyof SettingsGroups>(group: G, values: Partial<SettingsGroups[G]>): Promise<void>
}
export const siteSettings = service<SiteSettings>('site.settings')
/** A settings group, for reads. */
export const siteGroup = read<{ group: keyof SettingsGroups }, SettingsGroups[keyof SettingsGroups]>('site.group')

/** What {@link publicIds} needs of a read context. */
interface IdsAndReads {
  call<P, R>(token: ReadToken<P, R>, params: P): Promise<R>
  ids: Record<'encode' | 'short', (kind: string, n: number) => string>
}
/** Writes public ids as the site's permalink wants them: short under 3 and 4, long under 1 and 2. */
export async function publicIds({ call, ids }: IdsAndReads): Promise<(kind: string, n: number) => string> {
  const { permalink } = (await call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  return permalink === 3 || permalink === 4 ? ids.short : ids.encode
}

/** What people are worth here: whoever keeps reputation provides it. While nobody does, everybody counts as a newcomer. */
export interface Standing {
  /** Reputation, a whole number; 0 for somebody unknown. */
  rankOf(id: number): Promise<number>
}
export const standing = service<Standing>('site.standing')
/** The same for reads. */
export const standingOf = read<{ id: number }, number>('site.standingOf')

/**
 * Permission names with their rule, contributed in `plugin.json` under `site.permissions`.
 * `levels`: reputation needed at privilege levels 1, 2, 3. Without levels: by role only (admin, moderator).
 */
export interface PermissionRule {
  name: string
  levels?: [number, number, number]
  /** Text key of the label in the privileges settings. */
  label?: string
  /** Only admins hold it, moderators do not. */
  adminOnly?: boolean
  /** Not offered in the privileges settings. */
  fixed?: boolean
}
export const permissionPoint = 'site.permissions'

export interface Verdict {
  allowed: boolean
  /** Reputation that would be enough; -1 when no reputation is. */
  needed: number
}
export interface Permissions {
  /** Role first, then reputation. Ownership is the caller's question. An unknown name is not allowed. */
  may(person: Person | null, action: string): Promise<Verdict>
  /** @throws `error.rank.fail_to_meet_the_condition` (403; the message names the number when reputation would be enough). */
  require(person: Person | null, action: string): Promise<void>
}
export const permissions = service<Permissions>('site.permissions')
/** The same verdicts for reads, for the person who asks. */
export const permissionVerdicts = read<{ actions: string[] }, Record<string, Verdict>>('site.permissionVerdicts')

export interface Markdown {
  /** Sanitised HTML. `basic`: p, b, br, strong, em, a. Own-site links stay, others get `nofollow ugc noopener`. `mentions`: @name becomes a profile link. */
  render(source: string, options?: { profile?: 'post' | 'comment' | 'basic'; mentions?: boolean }): string
  /** Plain text of rendered HTML, at most `length` characters (240). */
  excerpt(html: string, length?: number): string
  /** Path part from a title: Chinese as pinyin, at most 150 bytes, `topic` when nothing is left. Store it with the post. */
  urlTitle(title: string): string
}
export const markdown = service<Markdown>('site.markdown')

const rankErrors = defineErrors('error.rank', {
  /** The refusal of the protocol for every missing right; its message names the number when reputation would be enough. */
  fail_to_meet_the_condition: { status: 403, message: '{action} needs a reputation of {needed}' },
})
export const siteErrors = {
  rank_too_low: rankErrors.fail_to_meet_the_condition,
  ...defineErrors('error.lang', {
    not_found: { status: 400, message: 'Language {found} is offered by no active plugin' },
  }),
}

export const siteHooks = {
  /** Before a settings group is stored: a tap may refuse with field errors of the group's form (e.g. tags that do not exist). */
  saving: series<(change: { group: keyof SettingsGroups; values: SettingsGroups[keyof SettingsGroups] }) => void>('site.saving', {
    onFault: 'refuse',
  }),
}
export const siteEvents = {
  settingsChanged: event<{ group: keyof SettingsGroups }>('site.settingsChanged', { whileOff: 'resync' }),
}

/** Themes the owner may choose, contributed in `plugin.json` under `site.themes`; `label` is a text key of the `server` branch. */
export interface ThemeOption {
  value: string
  label: string
}
export const themePoint = 'site.themes'
