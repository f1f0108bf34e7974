import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import type { BadgeDefinition, BadgeGroup } from '../shared/api.ts'
import { badgeErrors, badgePoint } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Words } from './definitions.ts'
import { definitionsIn } from './definitions.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

type Context = ReadContext<Tables>

const groups: readonly BadgeGroup[] = ['start', 'community', 'posting']

export interface BadgeRow {
  id: number
  name: string
  definition: string
  texts: string
  status: number
  award_count: number
}
export const badgeColumns = ['id', 'name', 'definition', 'texts', 'status', 'award_count'] as const satisfies (keyof BadgeRow)[]

/** Says what badges are: in the words of their plugins, and of those that are gone in the words that were kept. */
export function describer(ctx: Context) {
  const contributed = definitionsIn(ctx.contributions(badgePoint))
  return {
    contributed,
    /** As everybody is shown it. */
    describe(row: Pick<BadgeRow, 'id' | 'name' | 'definition' | 'texts'>) {
      const definition = contributed.get(row.name) ?? (JSON.parse(row.definition) as BadgeDefinition)
      const { level, icon, single, group } = definition
      const [name, description] = contributed.has(row.name)
        ? [ctx.text(`${row.name}.name`), ctx.text(`${row.name}.description`)]
        : keptWords(row, [ctx.language, ctx.site.language, 'en_US'])
      return { badge: { id: ctx.ids.short('badge', row.id), name, icon, level: level as number }, description, single, group }
    },
  }
}

function keptWords({ name, texts }: Pick<BadgeRow, 'name' | 'texts'>, languages: readonly string[]): Words {
  const kept = JSON.parse(texts) as Record<string, Words>
  return languages.map((language) => kept[language]).find(Boolean) ?? [name, '']
}

/** How often the person who asks has each of these badges. */
async function ownCounts(ctx: Context, ids: readonly number[]): Promise<Map<number, number>> {
  if (!ctx.person || ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('badges__award')
    .select((eb) => ['badge_id', eb.fn.countAll<number>().as('count')])
    .where('person_id', '=', ctx.person.id)
    .where('badge_id', 'in', ids)
    .groupBy('badge_id')
    .execute()
  return new Map(rows.map((row) => [row.badge_id, Number(row.count)]))
}

/** Rows of badges that plugins contribute now, in their order. */
async function presentRows(ctx: Context, status?: number): Promise<BadgeRow[]> {
  const order = [...describer(ctx).contributed.keys()]
  if (order.length === 0) return []
  const all = ctx.db.selectFrom('badges__badge').select(badgeColumns).where('name', 'in', order)
  const rows = await (status === undefined ? all : all.where('status', '=', status)).execute()
  const byName = new Map(rows.map((row) => [row.name, row]))
  return order.flatMap((name) => byName.get(name) ?? [])
}

/** `badges`: what can be earned, by group. */
export async function readGroups(ctx: Context): Promise<Static<typeof schemas.list.reply>> {
  const rows = await presentRows(ctx, badgeStatus.active)
  const own = await ownCounts(
    ctx,
    rows.map((row) => row.id),
  )
  const { describe } = describer(ctx)
  const described = rows.map((row) => {
    const { badge, group } = describe(row)
    return { group, view: { ...badge, award_count: row.award_count, earned_count: own.get(row.id) ?? 0 } }
  })
  return groups.flatMap((name) => {
    const badges = described.filter(({ group }) => group === name).map(({ view }) => view)
    return badges.length > 0 ? [{ group_name: ctx.text(`badges.group.${name}`), badges }] : []
  })
}

/** @throws `error.badge.object_not_found` for one that is not there or switched off */
export async function requireBadge(ctx: Context, id: string): Promise<BadgeRow> {
  const decoded = ctx.ids.decode(id)
  const row =
    decoded?.kind === 'badge'
      ? await ctx.db
          .selectFrom('badges__badge')
          .select(badgeColumns)
          .where('id', '=', decoded.n)
          .where('status', '=', badgeStatus.active)
          .executeTakeFirst()
      : undefined
  if (!row) throw badgeErrors.object_not_found({ id })
  return row
}

/** `badge`: one of them, also when its plugin is gone: its awards lead there. */
export async function readInfo(ctx: Context, { id }: { id: string }): Promise<Static<typeof schemas.info.reply>> {
  const row = await requireBadge(ctx, id)
  const { badge, description, single } = describer(ctx).describe(row)
  const earned_count = (await ownCounts(ctx, [row.id])).get(row.id) ?? 0
  return { ...badge, description, award_count: row.award_count, earned_count, is_single: single }
}

/** All badges for admins. There are as many as plugins contribute, so names are looked through here, in the reader's language. */
export async function readAdminPage(
  ctx: Context,
  query: Static<typeof schemas.adminPage.query>,
): Promise<Static<typeof schemas.adminPage.reply>> {
  const rows = await presentRows(ctx, query.status ? badgeStatus[query.status] : undefined)
  const words = (query.q ?? '').trim().toLowerCase()
  const asked = /^badge:\s*(\S+)$/.exec(query.q?.trim() ?? '')?.[1]
  const n = asked === undefined ? undefined : (ctx.ids.decode(asked)?.n ?? 0)
  const { describe } = describer(ctx)
  const all = rows.flatMap((row) => {
    const { badge, description, group } = describe(row)
    if (n === undefined ? !badge.name.toLowerCase().includes(words) : row.id !== n) return []
    const status = row.status === badgeStatus.active ? ('active' as const) : ('inactive' as const)
    const group_name = ctx.text(`badges.group.${group}`)
    return [{ ...badge, description, award_count: row.award_count, earned: false, group_name, status }]
  })
  const { size, offset } = rowsOfPage(query)
  return { count: all.length, list: all.slice(offset, offset + size) }
}
