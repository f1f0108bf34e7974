import type { Route, ServerContext, SettingText, TSchema } from '@stoa/sdk/server'
import { call, kernelHooks, route, settingChanges, Type } from '@stoa/sdk/server'
import type { Rendering, SettingsGroups, SiteSettings } from '../shared/api.ts'
import { siteCalls, siteHooks } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { bodies, replies } from '../shared/schemas.ts'
import { checkedSettings, checkWhole } from './check-settings.ts'
import { privateRobots } from './default-settings.ts'
import type { OwnCode } from './own-code.ts'
import { previewOf, unbalancedLine } from './own-code.ts'
import { activeTheme, seoView, themeView } from './site-info.ts'
import { createThemes } from './themes.ts'

type EditedGroup = keyof typeof bodies

/** Address of the page with a group's form. */
const pageOf = (group: EditedGroup): string =>
  `/admin/${({ theme: 'themes', 'custom-css-html': 'css-html', users: 'settings-users' } as Partial<Record<EditedGroup, string>>)[group] ?? group}`

/** What staff is told of: not what is made of what was typed, and the colours of the theme that is chosen. */
function told({ theme, theme_config, ...values }: Record<string, unknown>, chosen: unknown): Record<string, unknown> {
  for (const made of ['terms_of_service_parsed_text', 'privacy_policy_parsed_text', 'shown']) delete values[made]
  const config = (theme_config as SettingsGroups['theme']['theme_config'] | undefined)?.[String(chosen)]
  return theme === undefined ? values : { theme, ...config, ...values }
}

/** `GET` and `PUT` of every settings group of the admin area. */
export function settingsRoutes(ctx: ServerContext, settings: SiteSettings, rendering: Rendering): Route[] {
  const looks = createThemes(ctx)
  const themes = () => looks.list().map(({ value, name }) => ({ value, label: name }))
  const tools = {
    languages: () => ctx.host.texts.languages().map((language) => language.code),
    themes: () => themes().map((theme) => theme.value),
    render: rendering.render,
  }

  const view = async (group: EditedGroup): Promise<unknown> => {
    const values = await settings.get(group)
    if (group === 'theme') return themeView(activeTheme(values as SettingsGroups['theme'], looks.list()), themes())
    if (group === 'custom-css-html') {
      const { shown: _, ...code } = values as OwnCode
      return code
    }
    if (group === 'seo') return seoView(values as SettingsGroups['seo'], ctx.site.isPrivate)
    return values
  }

  /** How people call a value. */
  const say = (field: string, value: unknown): SettingText | undefined => {
    if (field === 'theme') return themes().find((theme) => theme.value === value)?.label
    if (field === 'language') return ctx.host.texts.languages().find(({ code }) => code === value)?.label
    if (field === 'until')
      return Number(value) > 0 ? `${new Date(Number(value) * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
    if (!/^\w{0,40}$/.test(String(value))) return undefined
    const text = `site.value.${field}.${value || 'none'}`
    return ctx.host.texts.text(text) === text ? undefined : { text }
  }
  const changesOf = (before: object, after: object) => {
    const { theme } = after as Partial<SettingsGroups['theme']>
    const [was, is] = [before, after].map((values) => told({ ...values }, theme)) as [object, object]
    return settingChanges(was, is, [], say).map((change) => ({ ...change, field: `site.field.${change.field}` }))
  }

  const save = async (group: EditedGroup, body: Record<string, unknown>, personId: number): Promise<void> => {
    const known = Object.keys(bodies[group].properties)
    const given = Object.fromEntries(Object.entries(body).filter(([name, value]) => known.includes(name) && value !== undefined))
    // A private site shows rules of its own: a page that sends them back has not changed the owner's.
    if (group === 'seo' && ctx.site.isPrivate && given.robots === privateRobots) delete given.robots
    const before = await settings.get(group)
    const checked = await checkedSettings(group, given, { ...tools, before })
    const values = { ...before, ...checked } as SettingsGroups[EditedGroup]
    checkWhole(group, values)
    await ctx.run(siteHooks.saving, { group, values })
    if (group === 'theme') await looks.choose((checked as SettingsGroups['theme']).theme)
    await ctx.db.write(async () => {
      await settings.set(group, checked as Partial<SettingsGroups[EditedGroup]>)
      await ctx.run(kernelHooks.settingsSaved, {
        page: pageOf(group),
        label: ctx.host.texts.text(`site.page.${group}`, {}, ctx.site.language),
        personId,
        changes: changesOf(before, values),
      })
    })
  }

  const themesRoute = route(siteCalls.themes, schemas.themes, {
    access: 'admin',
    summary: 'Themes that this site has, on or not, with the tokens that they set, for a preview.',
    handle: ({ language }) =>
      looks.list(language).map(({ slug, isOn, ...theme }) => ({ ...theme, slug_name: slug, is_on: isOn, css: looks.css(slug) })),
  })
  const groups = (Object.keys(bodies) as EditedGroup[]).flatMap((group) => [
    route(
      call.get(`siteinfo/${group}`, { admin: true }),
      { reply: replies[group] as TSchema },
      { access: 'admin', summary: `Settings: ${group}`, handle: () => view(group) },
    ),
    route(
      call.put(`siteinfo/${group}`, { admin: true }),
      { body: bodies[group] as TSchema, reply: (group === 'general' ? replies.general : Type.Null()) as TSchema },
      {
        access: 'admin',
        summary: `Save settings: ${group}`,
        handle: async ({ body, person }) => {
          await save(group, body as Record<string, unknown>, person.id)
          return group === 'general' ? view(group) : null
        },
      },
    ),
  ])
  const previewRoute = route(siteCalls.previewCode, schemas.previewCode, {
    access: 'admin',
    summary: "What pages would show of the owner's HTML, and what the content policy leaves out; stores nothing.",
    bodyLimit: 1024 * 1024,
    handle({ body }) {
      const { shown, dropped } = previewOf(body as OwnCode)
      return { ...shown, dropped, unbalanced_line: unbalancedLine((body as OwnCode).custom_css) }
    },
  })
  return [...groups, themesRoute, previewRoute]
}
