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
