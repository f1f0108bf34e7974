// By path: the server's types come here too, and the whole of sdk/web needs a DOM.
import type { SiteState } from '../web/page-facts.ts'

/** How the site wants its pages to look. */
export interface Appearance {
  /** `light`, `dark` or `system`. */
  scheme: string | undefined
  /** Primary colour, `#0033ff`; undefined where the site has none of its own. */
  color: string | undefined
  header: 'colored' | 'light'
}

/**
 * What the kernel itself reads of the site's own reply, in its own words. The members of that reply are named by the protocol and belong to the
 * plugin that answers it; no other file of the kernel knows them.
 */
export function appearanceOf({ theme }: SiteState): Appearance {
  const { primary_color = '', navbar_style } = theme?.theme_config?.[theme.theme] ?? {}
  return {
    scheme: theme?.color_scheme,
    color: /^#[0-9a-f]{6}$/i.test(primary_color) ? primary_color : undefined,
    header: navbar_style === 'light' ? 'light' : 'colored',
  }
}

/** HTML of the owner around every page but those of the admin; the plugin that sends it has cleaned it. */
export const ownHtml = ({ custom_css_html: own }: SiteState) => ({
  header: own?.custom_header ?? '',
  footer: own?.custom_footer ?? '',
  aside: own?.custom_sidebar ?? '',
})

/** Address of the owner's own sheet, another one for another content; undefined where there is none. */
export function ownSheet({ custom_css_html: own }: SiteState): string | undefined {
  const css = own?.custom_css ?? ''
  let hash = css.length
  for (let at = 0; at < css.length; at++) hash = (hash * 31 + css.charCodeAt(at)) | 0
  return css.trim() === '' ? undefined : `/custom.css?v=${(hash >>> 0).toString(36)}`
}

const META = /<meta\s+(name|property)="([\w:.-]{1,80})"\s+content="([^"<>]{0,1000})"\s*\/?>/gi

/** What the owner says of every page in its head: facts, nothing that runs. */
export const ownMetas = ({ custom_css_html: own }: SiteState): { kind: string; name: string; content: string }[] =>
  [...(own?.custom_head ?? '').matchAll(META)].slice(0, 50).map(([, kind = '', name = '', content = '']) => ({ kind, name, content }))

/** The same site without what only documents need. */
export const withoutOwnHead = (site: SiteState): SiteState =>
  site.custom_css_html ? { ...site, custom_css_html: { ...site.custom_css_html, custom_head: '', custom_css: '' } } : site

/** The same site without anything that the owner wrote into pages: the way back when that is broken. */
export const withoutOwn = ({ custom_css_html: _, ...site }: SiteState): SiteState => site

/** Whether strangers may join. */
export const isOpenToAll = ({ login }: SiteState): boolean => login?.allow_new_registrations !== false

/** What a private site says of itself to those who may not ask. */
export const privateSite = (state: SiteState): SiteState => ({
  ...state,
  login: {
    allow_new_registrations: false,
    allow_email_registrations: false,
    allow_password_login: true,
    ...state.login,
    login_required: true,
  },
})
