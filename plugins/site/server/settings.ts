import type { Closure, ServerContext, SiteInfo } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SettingsGroups, SiteSettings } from '../shared/api.ts'
import { siteEvents } from '../shared/api.ts'
import { defaultSettings } from './default-settings.ts'
import type { Addresses } from './site-addresses.ts'

/** How far texts are written anew by the present renderer. */
export interface RenderedTable {
  /** Empty: those that have no row of their own. */
  kind: string
  version: number
  /** Last number that was written anew. */
  position: number
  done: number
}

export interface SiteTables {
  site__setting: { group_name: string; content: string }
  site__rendered: RenderedTable
}

type Group = keyof SettingsGroups
type KernelFacts = Pick<SiteInfo, 'url' | 'name' | 'language' | 'isPrivate' | 'closure'>

const contentOf = statement((db: Kysely<SiteTables>, { group }: { group: string }) =>
  db.selectFrom('site__setting').select('content').where('group_name', '=', group),
)

/** A group as stored, over its defaults; what the kernel keeps itself is laid over both, so that there is one truth. */
export async function readGroup<G extends Group>(db: Kysely<SiteTables>, site: KernelFacts, group: G): Promise<SettingsGroups[G]> {
  const [row] = await contentOf(db, { group })
  return composeGroup(group, row?.content, site)
}

/** Several groups in one query. */
export async function readGroups<G extends Group>(
  db: Kysely<SiteTables>,
  site: KernelFacts,
  groups: readonly G[],
): Promise<Pick<SettingsGroups, G>> {
  const rows = await db
    .selectFrom('site__setting')
    .select(['group_name', 'content'])
    .where('group_name', 'in', [...groups])
    .execute()
  const stored = new Map(rows.map((row) => [row.group_name, row.content]))
  return Object.fromEntries(groups.map((group) => [group, composeGroup(group, stored.get(group), site)])) as Pick<SettingsGroups, G>
}

function composeGroup<G extends Group>(group: G, content: string | undefined, site: KernelFacts): SettingsGroups[G] {
  const kept: Partial<Record<Group, object>> = {
    general: { name: site.name, site_url: site.url },
    interface: { language: site.language },
    login: { login_required: site.isPrivate },
    maintenance: site.closure,
  }
  return { ...defaultSettings[group], ...(content ? (JSON.parse(content) as object) : {}), ...kept[group] } as SettingsGroups[G]
}

/**
 * Stores groups; what the kernel keeps is handed to it in the same transaction. What was read stays in memory until a group changes on any node:
 * every writer asks for two of them, and a read beside a busy writer is the dearest part of such a question.
 */
export function createSettings(ctx: ServerContext<SiteTables>, addresses: Addresses): SiteSettings {
  const stored = <G extends Group>(group: G) => readGroup(ctx.db.query, ctx.site, group)
  /** Transactions that changed a group: what they see is theirs alone. */
  const changing = new WeakSet<object>()
  const kept = new Map<Group, { change: string | undefined; content: string | undefined }>()
  /** Names the last change that this node has heard of. */
  const lastChange = () => ctx.plugin.settings.get<{ change?: string }>().change
  return {
    async get<G extends Group>(group: G): Promise<SettingsGroups[G]> {
      if (changing.has(ctx.db.query)) return await stored(group)
      const change = lastChange()
      let known = kept.get(group)
      if (known === undefined || known.change !== change) {
        const [row] = await contentOf(ctx.db.query, { group })
        known = { change, content: row?.content }
        kept.set(group, known)
      }
      return composeGroup(group, known.content, ctx.site)
    },
    set: (group, values) =>
      ctx.db.write(async (tx) => {
        changing.add(tx)
        const content = JSON.stringify({ ...(await stored(group)), ...values })
        await tx
          .insertInto('site__setting')
          .values({ group_name: group, content })
          .onConflict((conflict) => conflict.column('group_name').doUpdateSet({ content }))
          .execute()
        await ctx.plugin.settings.set({ change: ctx.host.random(8) })
        const kernel = kernelValues(group, values, ctx.site.closure)
        if (Object.keys(kernel).length > 0) await ctx.site.set(kernel)
        if (kernel.url !== undefined) await addresses.remember(kernel.url)
        await ctx.emit(siteEvents.settingsChanged, { group })
      }),
  }
}

function kernelValues(group: Group, values: object, closure: Closure): Parameters<SiteInfo['set']>[0] {
  const given = values as Partial<SettingsGroups['general'] & SettingsGroups['interface'] & SettingsGroups['login']>
  const kernel: Parameters<SiteInfo['set']>[0] = {}
  if (group === 'general' && given.name !== undefined) kernel.name = given.name
  if (group === 'general' && given.site_url !== undefined) kernel.url = given.site_url.replace(/\/+$/, '')
  if (group === 'interface' && given.language !== undefined) kernel.language = given.language
  if (group === 'maintenance') kernel.closure = { ...closure, ...values }
  if (group === 'login' && given.login_required !== undefined) kernel.isPrivate = given.login_required
  return kernel
}
