import type { Route, ServerContext } from '@stoa/sdk/server'
import { fieldErrors, kernelHooks, route, settingChanges } from '@stoa/sdk/server'
import type { PermissionRule, SettingsGroups, SiteSettings } from '../shared/api.ts'
import { permissionVerdicts, siteCalls, standingOf } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { neededRank } from './permissions.ts'

const PREFIX = 'rank.'
const levels = [1, 2, 3, 99]

/** Order in which clients of the protocol list privileges; others follow in dependency order. */
const usualOrder = [
  'experience.add',
  'answer.add',
  'comment.add',
  'report.add',
  'comment.vote_up',
  'link.url_limit',
  'experience.vote_up',
  'answer.vote_up',
  'experience.vote_down',
  'answer.vote_down',
  'answer.invite_someone_to_answer',
  'tag.add',
  'tag.edit',
  'experience.edit',
  'answer.edit',
  'experience.edit_without_review',
  'answer.edit_without_review',
  'experience.audit',
  'answer.audit',
  'tag.audit',
  'tag.edit_without_review',
  'tag.synonym',
]
const place = (name: string) => usualOrder.indexOf(name) + 1 || usualOrder.length + 1

/** What the log of staff calls a level. */
const levelText = (field: string, value: unknown) => (field === 'level' ? { text: `site.privilege_level.${value}` } : undefined)

/** Reputation needed per privilege: three levels and the owner's own. */
export function privilegeRoutes(ctx: ServerContext, settings: SiteSettings, rules: () => Map<string, PermissionRule>): Route[] {
  const offered = () =>
    [...rules().values()].filter((rule) => rule.levels && !rule.fixed && !rule.adminOnly).sort((a, b) => place(a.name) - place(b.name))

  const option = (level: number, custom: SettingsGroups['privileges']['custom_privileges']) => ({
    level,
    level_desc: ctx.host.texts.text(`site.privilege_level.${level}`),
    privileges: offered().map((rule) => ({
      key: `${PREFIX}${rule.name}`,
      label: ctx.host.texts.text(rule.label ?? `permission.${rule.name}`),
      help: rule.help ? ctx.host.texts.text(rule.help) : '',
      group: rule.group ?? '',
      value: neededRank(rule, { level, custom_privileges: custom }),
    })),
  })

  const customOf = (list: { key: string; value: number }[]): Record<string, number> => {
    const known = new Set(offered().map((rule) => rule.name))
    const entries = list.map(({ key, value }) => [key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key, value] as const)
    if (entries.some(([name]) => !known.has(name))) throw fieldErrors({ custom_privileges: 'site.error.privilege' })
    return Object.fromEntries(entries)
  }

  return [
    route(siteCalls.ownPrivileges, schemas.ownPrivileges, {
      access: 'active',
      summary: 'What reputation allows here, and how far the caller is',
      handle: async ({ person }) => {
        const all = offered()
        const verdicts = await ctx.read(permissionVerdicts, { actions: all.map((rule) => rule.name) })
        const list = all.map((rule) => ({
          key: rule.name,
          label: ctx.host.texts.text(rule.label ?? `permission.${rule.name}`),
          needed: verdicts[rule.name]?.needed ?? -1,
          allowed: verdicts[rule.name]?.allowed ?? false,
        }))
        const rank = await ctx.read(standingOf, { id: person.id }, { otherwise: 0 })
        return { rank, list: list.filter(({ needed }) => needed >= 0).sort((a, b) => a.needed - b.needed) }
      },
    }),
    route(siteCalls.privileges, schemas.privileges, {
      access: 'admin',
      summary: 'Reputation needed for each privilege, per level',
      handle: async () => {
        const { level, custom_privileges } = await settings.get('privileges')
        return { options: levels.map((one) => option(one, custom_privileges)), selected_level: level }
      },
    }),
    route(siteCalls.setPrivileges, schemas.setPrivileges, {
      access: 'admin',
      summary: 'Choose a privilege level',
      handle: async ({ body, person }) => {
        const custom = body.level === 99 && body.custom_privileges ? { custom_privileges: customOf(body.custom_privileges) } : {}
        const before = await settings.get('privileges')
        const after = { ...before, level: body.level, ...custom }
        // A level says what it demands; only the owner's own numbers are told one by one.
        const flat = (privileges: SettingsGroups['privileges']) => ({
          level: privileges.level,
          ...(after.level === 99 && Object.fromEntries(offered().map((rule) => [rule.name, neededRank(rule, privileges)]))),
        })
        await ctx.db.write(async () => {
          await settings.set('privileges', { level: body.level, ...custom })
          await ctx.run(kernelHooks.settingsSaved, {
            page: '/admin/privileges',
            label: ctx.host.texts.text('site.page.privileges', {}, ctx.site.language),
            personId: person.id,
            changes: settingChanges(flat(before), flat(after), [], levelText).map(({ field, ...change }) => ({
              ...change,
              field: field === 'level' ? 'site.field.level' : (rules().get(field)?.label ?? `permission.${field}`),
            })),
          })
        })
      },
    }),
  ]
}
