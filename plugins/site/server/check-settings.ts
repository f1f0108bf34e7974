import { fieldErrors } from '@stoa/sdk/server'
import type { Rendering, SettingsGroups } from '../shared/api.ts'
import { siteErrors } from '../shared/api.ts'
import { defaultSettings } from './default-settings.ts'
import type { OwnCode } from './own-code.ts'
import { checkedCode } from './own-code.ts'

type Group = keyof SettingsGroups

export interface CheckTools {
  languages(): string[]
  themes(): string[]
  /** The group as it is stored. */
  before?: object
  render: Rendering['render']
}

/**
 * Rules that a schema cannot say, and the form in which values are stored.
 * @throws field errors of the group's form
 */
export async function checkedSettings(group: Group, values: Record<string, unknown>, tools: CheckTools): Promise<Record<string, unknown>> {
  const check = checks[group]
  return check ? await check(values, tools) : values
}

type Check = (values: Record<string, unknown>, tools: CheckTools) => Record<string, unknown> | Promise<Record<string, unknown>>

const checks: Partial<Record<Group, Check>> = {
  general(values) {
    const url = webAddress(values.site_url as string)
    if (!url) throw fieldErrors({ site_url: 'site.error.url' })
    return { ...values, name: (values.name as string).trim(), site_url: url.replace(/\/+$/, '') }
  },
  interface(values, { languages }) {
    if (!languages().includes(values.language as string)) throw siteErrors.not_found({ found: values.language })
    if (!isTimeZone(values.time_zone as string)) throw fieldErrors({ time_zone: 'site.error.time_zone' })
    return values
  },
  write: (values) => ({
    ...values,
    ...tagLists(values),
    ...lowerCase(values, 'authorized_image_extensions'),
    ...lowerCase(values, 'authorized_attachment_extensions'),
  }),
  legal: async (values, { render }) => ({
    ...values,
    ...(typeof values.terms_of_service_original_text === 'string' && {
      terms_of_service_parsed_text: await render(values.terms_of_service_original_text),
    }),
    ...(typeof values.privacy_policy_original_text === 'string' && {
      privacy_policy_parsed_text: await render(values.privacy_policy_original_text),
    }),
  }),
  theme(values, { themes, before }) {
    const known = themes()
    if (!known.includes(values.theme as string)) throw fieldErrors({ theme: 'site.error.theme' })
    if (values.theme_config === undefined) return values
    // Each theme keeps its own; what is said of themes that are not here is dropped.
    const { theme_config: kept = {} } = (before ?? {}) as Partial<SettingsGroups['theme']>
    const given = Object.entries(values.theme_config as object).filter(([name]) => known.includes(name))
    const { default: fallback } = defaultSettings.theme.theme_config
    const merged = given.map(([name, config]) => [name, { ...fallback, ...kept[name], ...config }])
    return { ...values, theme_config: { ...kept, ...Object.fromEntries(merged) } }
  },
  'custom-css-html': (values, { before }) => ({ ...checkedCode(values as Partial<OwnCode>, before as OwnCode) }),
  login(values) {
    if (values.allow_email_domains === undefined) return values
    const domains = ((values.allow_email_domains ?? []) as string[])
      .map((domain) => domain.trim().toLowerCase().replace(/^@/, ''))
      .filter(Boolean)
    if (domains.some((domain) => !/^([a-z0-9-]+\.)+[a-z0-9-]+$/.test(domain)))
      throw fieldErrors({ allow_email_domains: 'site.error.domain' })
    return { ...values, allow_email_domains: [...new Set(domains)] }
  },
  users(values) {
    const base = values.gravatar_base_url as string | undefined
    if (base && !webAddress(base)) throw fieldErrors({ gravatar_base_url: 'site.error.url' })
    return values
  },
}

/** A rule over a whole group, so that a form with a part of it cannot break it. @throws field errors of the group's form */
export function checkWhole(group: Group, values: SettingsGroups[Group]): void {
  if (group !== 'write') return
  const { recommend_tags, reserved_tags } = values as SettingsGroups['write']
  const reserved = new Set(reserved_tags.map((tag) => tag.slug_name))
  if (recommend_tags.some((tag) => reserved.has(tag.slug_name))) throw fieldErrors({ recommend_tags: 'site.error.tag_in_both' })
}

/** @returns the address, or undefined when it is no absolute http address of at least a host */
function webAddress(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) && url.hostname ? text.trim() : undefined
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

interface Tag {
  slug_name: string
  display_name?: string
}

function tagLists(values: Record<string, unknown>): Record<string, Tag[]> {
  const lists: Record<string, Tag[]> = {}
  for (const name of ['recommend_tags', 'reserved_tags']) {
    if (values[name] === undefined) continue
    lists[name] = ((values[name] ?? []) as Tag[]).map(({ slug_name, display_name }) => ({
      slug_name,
      display_name: display_name ?? slug_name,
    }))
  }
  return lists
}

function lowerCase(values: Record<string, unknown>, name: string): Record<string, string[]> {
  if (values[name] === undefined) return {}
  return { [name]: [...new Set(((values[name] ?? []) as string[]).map((extension) => extension.toLowerCase()))] }
}
