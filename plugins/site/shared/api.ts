import type { Person, ReadToken } from '@stoa/sdk'
import { call, defineErrors, event, read, series, service, services, waterfall } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

export * from './moderation.ts'
export * from './settings-calls.ts'

/** Settings groups of the specification's section 15. Field names are the protocol's. */
export type SettingsGroups = {
  [G in Exclude<keyof typeof schemas.replies, 'theme'>]: Static<(typeof schemas.replies)[G]>
} & {
  theme: Omit<Static<typeof schemas.replies.theme>, 'theme_options'>
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
  /** Text key of one sentence: what whoever has it can do. */
  help?: string
  /** Part of the privileges settings in which it stands. */
  group?: 'write' | 'vote' | 'improve' | 'tags'
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
  /** Reputation of who asks; not told of staff, who need none. */
  rank?: number
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

export interface RenderOptions {
  /** `basic`: p, b, br, strong, em, a. Default `post`. */
  profile?: 'post' | 'comment' | 'basic'
  /** @name becomes a profile link. */
  mentions?: boolean
}
export interface Markdown {
  /**
   * Sanitised HTML, at once and while everything else waits: code without colours, and a text of more than 32,768 characters as it was typed.
   * For texts of people ask {@link rendering}.
   */
  render(source: string, options?: RenderOptions): string
  /** Plain text of rendered HTML, at most `length` characters (240). */
  excerpt(html: string, length?: number): string
  /** Path part from a title: Chinese as pinyin, at most 150 bytes, `topic` when nothing is left. Store it with the post. */
  urlTitle(title: string): string
}
export const markdown = service<Markdown>('site.markdown')

export interface Rendering {
  /**
   * Sanitised HTML of a text that somebody wrote; own-site links stay, others get `nofollow ugc noopener`. Long texts and code take a thread of
   * their own, which has limited time and memory: what it cannot colour in time comes without colours, what it cannot render as it was typed. Ask
   * before a transaction, never inside.
   * @throws `base.busy` (503) while too many wait, or too many of whoever asks
   */
  render(source: string, options?: RenderOptions): Promise<string>
}
export const rendering = service<Rendering>('site.rendering')

/**
 * Texts that somebody keeps as HTML. When the renderer has other rules, they are written anew: only those that become another HTML, while whoever
 * reads sees the old one.
 */
export interface RenderedTexts {
  /** Names them, such as `answer`. */
  kind: string
  /** As the owner renders them. */
  options?: RenderOptions
  /**
   * Texts with a number above `after`, in the order of their numbers, as many as `limit` if there are so many. `excerpt`: as it is stored, where
   * {@link Markdown.excerpt} made it; it is stored anew when that would make another one.
   */
  page(after: number, limit: number): Promise<{ n: number; source: string; html: string; excerpt?: string }[]>
  /** Stores the HTML unless the text has another source by now. Nothing else of it changes: nobody is told. */
  store(text: { n: number; source: string; html: string }): Promise<void>
}
export const renderedTexts = services<RenderedTexts>('site.renderedTexts')

const rankErrors = defineErrors('error.rank', {
  /** The refusal of the protocol for every missing right; its message names the number when reputation would be enough. */
  fail_to_meet_the_condition: { status: 403, message: '{action} needs a reputation of {needed}, there are {rank}' },
})
export const siteErrors = {
  rank_too_low: rankErrors.fail_to_meet_the_condition,
  ...defineErrors('error.lang', {
    not_found: { status: 400, message: 'Language {found} is offered by no active plugin' },
  }),
}

export const siteHooks = {
  /** Before a post, an answer or a comment is rendered, in previews too: a tap may write marks of its own, such as `#<id>`, as Markdown. */
  beforeRender: waterfall<(source: string) => string>('site.beforeRender', { shape: 'string' }),
  /** Lines of `robots.txt`, the owner's first. */
  robots: waterfall<(lines: readonly string[]) => readonly string[]>('site.robots', { shape: ['string'] }),
  /** Before a settings group is stored: a tap may refuse with field errors of the group's form (e.g. tags that do not exist). */
  saving: series<(change: { group: keyof SettingsGroups; values: SettingsGroups[keyof SettingsGroups] }) => void>('site.saving', {
    onFault: 'refuse',
  }),
}
export const siteEvents = {
  settingsChanged: event<{ group: keyof SettingsGroups }>('site.settingsChanged', { whileOff: 'resync' }),
}

/** What was deleted and may still be restored. Whoever keeps such things provides one, and empties it when an admin asks for that. */
export interface Bin {
  /** The protocol's word for what is in it, such as `answers`. */
  type: string
  /** Kind of the objects in it, as {@link purged} names it. */
  kind: string
  /** Removes some of it for good, in the caller's transaction. @returns their running numbers; none when it is empty */
  removeSome(): Promise<number[]>
  /**
   * Removes those of it for good, at most a hundred, in the caller's transaction; what is not in it stays. Without this the bin is emptied as a whole
   * or not at all. @returns the running numbers of those that are gone
   */
  remove?(ns: readonly number[]): Promise<number[]>
}
export const bins = services<Bin>('site.bins')
/** Objects of a kind are gone for good, by running number: whoever keeps something by them lets go of it. */
export const purged = event<{ kind: string; ns: number[] }>('site.purged', { whileOff: 'replay' })

/** Themes the owner may choose, contributed in `plugin.json` under `site.themes`; `label` is a text key of the `server` branch. */
export interface ThemeOption {
  value: string
  label: string
}
export const themePoint = 'site.themes'

export const siteCalls = {
  info: call.get<typeof schemas.siteInfo>('siteinfo'),
  legalText: call.get<typeof schemas.legalText>('siteinfo/legal'),
  permission: call.get<typeof schemas.permission>('permission'),
  /** What reputation allows on this site, and how far the caller is. */
  ownPrivileges: call.get<typeof schemas.ownPrivileges>('permission/own'),
  texts: call.get<typeof schemas.texts>('language/config'),
  languages: call.get<typeof schemas.languages>('language/options'),
  siteLanguages: call.get<typeof schemas.languages>('language/options', { admin: true }),
  roles: call.get<typeof schemas.roles>('roles', { admin: true }),
  render: call.post<typeof schemas.render>('post/render'),
  reasons: call.get<typeof schemas.reasons>('reasons'),
  adminReasons: call.get<typeof schemas.reasons>('reasons', { admin: true }),
  reviewing: call.get<typeof schemas.reviewing>('reviewing/type'),
  privileges: call.get<typeof schemas.privileges>('setting/privileges', { admin: true }),
  setPrivileges: call.put<typeof schemas.setPrivileges>('setting/privileges', { admin: true }),
  emptyBin: call.del<typeof schemas.emptyBin>('delete/permanently', { admin: true }),
  /** Themes that this site has, on or not. */
  themes: call.get<typeof schemas.themes>('siteinfo/themes', { admin: true }),
  previewCode: call.post<typeof schemas.previewCode>('siteinfo/custom-css-html/preview', { admin: true }),
  css: call.get<typeof schemas.file>('/custom.css'),
  robots: call.get<typeof schemas.file>('/robots.txt'),
  icon: call.get<typeof schemas.file>('/favicon.ico'),
  manifest: call.get<typeof schemas.file>('/manifest.json'),
}
