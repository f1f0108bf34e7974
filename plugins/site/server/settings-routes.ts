import type { Route, ServerContext, TSchema } from '@stoa/sdk/server'
import { call, route, Type } from '@stoa/sdk/server'
import type { Rendering, SettingsGroups, SiteSettings } from '../shared/api.ts'
import { siteHooks } from '../shared/api.ts'
import { bodies, replies } from '../shared/schemas.ts'
import { checkedSettings, checkWhole } from './check-settings.ts'

import { seoView, themeOptions, themeView } from './site-info.ts'

type EditedGroup = keyof typeof bodies

/** `GET` and `PUT` of every settings group of the admin area. */
export function settingsRoutes(ctx: ServerContext, settings: SiteSettings, rendering: Rendering): Route[] {
  const themes = () =>
    themeOptions(
      (point) => ctx.host.contributions(point),
      (key) => ctx.host.texts.text(key),
    )
  const tools = {
    languages: () => ctx.host.texts.languages().map((language) => language.code),
    themes: () => themes().map((theme) => theme.value),
    render: rendering.render,
  }

  const view = async (group: EditedGroup): Promise<unknown> => {
    const values = await settings.get(group)
    if (group === 'theme') return themeView(values as SettingsGroups['theme'], themes())
    if (group === 'seo') return seoView(values as SettingsGroups['seo'], ctx.site.isPrivate)
    return values
  }

  const save = async (group: EditedGroup, body: Record<string, unknown>): Promise<void> => {
    const known = Object.keys(bodies[group].properties)
    const given = Object.fromEntries(Object.entries(body).filter(([name, value]) => known.includes(name) && value !== undefined))
    const checked = await checkedSettings(group, given, tools)
    const values = { ...(await settings.get(group)), ...checked } as SettingsGroups[EditedGroup]
    checkWhole(group, values)
    await ctx.run(siteHooks.saving, { group, values })
    await settings.set(group, checked as Partial<SettingsGroups[EditedGroup]>)
  }

  return (Object.keys(bodies) as EditedGroup[]).flatMap((group) => [
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
        handle: async ({ body }) => {
          await save(group, body as Record<string, unknown>)
          return group === 'general' ? view(group) : null
        },
      },
    ),
  ])
}
