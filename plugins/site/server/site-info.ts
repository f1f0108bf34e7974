import type { ReadContext, Static } from '@stoa/sdk/server'
import { read } from '@stoa/sdk/server'
import type { SettingsGroups, ThemeOption } from '../shared/api.ts'
import { themePoint } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import { privateRobots } from './default-settings.ts'
import type { SiteTables } from './settings.ts'
import { readGroups } from './settings.ts'

type SiteInfo = Static<typeof schemas.siteInfo.reply>
type LegalText = Static<typeof schemas.legalText.reply>

/** Reply of `GET siteinfo`. */
export const siteInfo = read<object, SiteInfo>('site.info')
/** Reply of `GET siteinfo/legal`. */
export const legalText = read<{ info_type: 'tos' | 'privacy' }, LegalText>('site.legal')

const VERSION = '0.1.0'

/** Themes on offer; there is always the default one. */
export function themeOptions(
  contributions: ReadContext['contributions'],
  text: (key: string) => string,
): { label: string; value: string }[] {
  const offered = contributions<ThemeOption | ThemeOption[]>(themePoint).flatMap(({ value }) => value)
  const all = offered.some((option) => option.value === 'default') ? offered : [{ value: 'default', label: 'theme.default' }, ...offered]
  return all.map(({ value, label }) => ({ label: text(label), value }))
}

/** Theme group as the protocol sends it, its choices beside it. */
export function themeView(theme: SettingsGroups['theme'], options: { label: string; value: string }[]) {
  return { theme_options: options, theme: theme.theme, theme_config: theme.theme_config, color_scheme: theme.color_scheme }
}

/** In private mode nothing is for robots, whatever the owner wrote; the admin and the robots see that. */
export const seoView = (seo: SettingsGroups['seo'], isPrivate: boolean) => (isPrivate ? { ...seo, robots: privateRobots } : seo)

/** The twelve members of the protocol: nothing secret is among them. */
export async function readSiteInfo(ctx: ReadContext<SiteTables>): Promise<SiteInfo> {
  const groups = await readGroups(ctx.db, ctx.site, [
    'general',
    'interface',
    'branding',
    'login',
    'theme',
    'custom-css-html',
    'seo',
    'users',
    'write',
    'legal',
  ])
  return {
    general: groups.general,
    interface: groups.interface,
    branding: groups.branding,
    login: groups.login,
    theme: themeView(
      groups.theme,
      themeOptions(
        (point) => ctx.contributions(point),
        (key) => ctx.text(key),
      ),
    ),
    custom_css_html: groups['custom-css-html'],
    site_seo: groups.seo,
    site_users: groups.users,
    site_write: groups.write,
    site_legal: { external_content_display: groups.legal.external_content_display },
    version: VERSION,
    revision: '',
  }
}

/** One legal text. */
export async function readLegalText(ctx: ReadContext<SiteTables>, { info_type }: { info_type: 'tos' | 'privacy' }): Promise<LegalText> {
  const { legal } = await readGroups(ctx.db, ctx.site, ['legal'])
  const members =
    info_type === 'tos'
      ? (['terms_of_service_original_text', 'terms_of_service_parsed_text'] as const)
      : (['privacy_policy_original_text', 'privacy_policy_parsed_text'] as const)
  return Object.fromEntries(members.filter((member) => legal[member]).map((member) => [member, legal[member]]))
}
