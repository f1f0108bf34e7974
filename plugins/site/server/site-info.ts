import type { ReadContext, Static } from '@stoa/sdk/server'
import { escapeHtml, read } from '@stoa/sdk/server'
import type { SettingsGroups, ThemeOption } from '../shared/api.ts'
import { themePoint } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import { defaultSettings, privateRobots } from './default-settings.ts'
import type { OwnCode } from './own-code.ts'
import { headOf } from './own-code.ts'
import type { SiteTables } from './settings.ts'
import { readGroups } from './settings.ts'

type SiteInfo = Static<typeof schemas.siteInfo.reply>
type LegalText = Static<typeof schemas.legalText.reply>

/** Reply of `GET siteinfo`. */
export const siteInfo = read<object, SiteInfo>('site.info')
/** Reply of `GET siteinfo/legal`. */
export const legalText = read<{ info_type: 'tos' | 'privacy' }, LegalText>('site.legal')

const VERSION = '0.1.0'

const contributedThemes = (contributions: ReadContext['contributions']): ThemeOption[] =>
  contributions<ThemeOption | ThemeOption[]>(themePoint).flatMap(({ value }) => value)

/** Themes on offer; there is always the default one. */
export function themeOptions(
  contributions: ReadContext['contributions'],
  text: (key: string) => string,
): { label: string; value: string }[] {
  const offered = contributedThemes(contributions)
  const all = offered.some((option) => option.value === 'default') ? offered : [{ value: 'default', label: 'theme.default' }, ...offered]
  return all.map(({ value, label }) => ({ label: text(label), value }))
}

/** The group with the theme that is on: whoever switches its plugin chooses it too. */
export function activeTheme(theme: SettingsGroups['theme'], themes: readonly { value: string; isOn: boolean }[]): SettingsGroups['theme'] {
  const on = themes.filter(({ isOn }) => isOn).map(({ value }) => value)
  const active = on.includes(theme.theme) ? theme.theme : (on[0] ?? 'default')
  const { default: fallback } = defaultSettings.theme.theme_config
  const config = { ...fallback, ...theme.theme_config[active] } as SettingsGroups['theme']['theme_config'][string]
  return { ...theme, theme: active, theme_config: { ...theme.theme_config, [active]: config } }
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
      activeTheme(
        groups.theme,
        contributedThemes((point) => ctx.contributions(point)).map(({ value }) => ({ value, isOn: true })),
      ),
      themeOptions(
        (point) => ctx.contributions(point),
        (key) => ctx.text(key),
      ),
    ),
    custom_css_html: withNotice(publicCode(groups['custom-css-html'] as OwnCode), ctx),
    site_seo: groups.seo,
    site_users: groups.users,
    site_write: groups.write,
    site_legal: { external_content_display: groups.legal.external_content_display },
    version: VERSION,
    revision: '',
  }
}

/** Every page says that only staff may change anything, above all that the owner has put there. */
function withNotice(
  code: ReturnType<typeof publicCode>,
  { site, text }: Pick<ReadContext, 'site' | 'text'>,
): ReturnType<typeof publicCode> {
  const { degree, message } = site.closure
  if (degree === 'open') return code
  const notice = text(degree === 'reading' ? 'site.reading_only' : 'site.staff_only', { message })
  return { ...code, custom_header: `<p class="stoa-strip" role="status">${escapeHtml(notice.trim())}</p>${code.custom_header}` }
}

/** What the owner wrote, as far as pages show it. */
const publicCode = ({ custom_head, custom_css, shown }: OwnCode) => ({
  ...{ custom_head: headOf(custom_head), custom_css },
  ...{ custom_header: shown?.header ?? '', custom_footer: shown?.footer ?? '', custom_sidebar: shown?.sidebar ?? '' },
})

/** One legal text. */
export async function readLegalText(ctx: ReadContext<SiteTables>, { info_type }: { info_type: 'tos' | 'privacy' }): Promise<LegalText> {
  const { legal } = await readGroups(ctx.db, ctx.site, ['legal'])
  const members =
    info_type === 'tos'
      ? (['terms_of_service_original_text', 'terms_of_service_parsed_text'] as const)
      : (['privacy_policy_original_text', 'privacy_policy_parsed_text'] as const)
  return Object.fromEntries(members.filter((member) => legal[member]).map((member) => [member, legal[member]]))
}
