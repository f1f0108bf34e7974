import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { Emoji, Reaction } from '../shared/api.ts'
import { emojis } from '../shared/schemas.ts'
import type { Tables } from './tables.ts'

/** What stands on one object. */
export async function readSummary(ctx: ReadContext<Tables>, { kind, n }: { kind: string; n: number }): Promise<Reaction[]> {
  return (await summaries(ctx, kind, [n])).get(n) ?? []
}

/** Puts reactions beside posts or answers on their way out: as many statements for one as for a hundred, one where nobody reacted. */
export async function findReactions(
  ctx: ReadContext<Tables>,
  items: readonly Decorated<{ beside?: Record<string, unknown> | undefined }>[],
): Promise<() => void> {
  const byKind = [...Map.groupBy(items, (item) => item.kind)]
  const found = await Promise.all(
    byKind.map(async ([kind, ofKind]) => ({
      ofKind,
      reactionsOf: await summaries(
        ctx,
        kind,
        ofKind.map(({ n }) => n),
      ),
    })),
  )
  return () => {
    for (const { ofKind, reactionsOf } of found)
      for (const { n, view } of ofKind) {
        const reactions = reactionsOf.get(n)
        if (reactions) view.beside = { ...view.beside, reactions }
      }
  }
}

const summariesOf = statement((db: Kysely<Tables>, { kind, ns }: { kind: string; ns: readonly number[] }) =>
  db
    .selectFrom('reactions__summary')
    .select(['object_n', 'emoji', 'count', 'first_people'])
    .where('object_kind', '=', kind)
    .where('object_n', 'in', ns)
    .where('count', '>', 0),
)

async function summaries(ctx: ReadContext<Tables>, kind: string, ns: number[]): Promise<Map<number, Reaction[]>> {
  const rows = await summariesOf(ctx.db, { kind, ns })
  if (rows.length === 0) return new Map()
  const given = rows.map((row) => ({ ...row, people: JSON.parse(row.first_people) as number[] }))
  const own = await ownReactions(ctx, kind, ns)
  const cards = await ctx.call(personCards, { ids: [...new Set(given.flatMap(({ people }) => people))] })
  const found = new Map<number, Reaction[]>()
  for (const emoji of emojis) {
    for (const { object_n, count, people } of given.filter((row) => row.emoji === emoji)) {
      const names = people.map((person) => (cards[person] ?? nobody(person)).display_name)
      const more = count > names.length ? ` +${count - names.length}` : ''
      const reaction = { emoji, count, tooltip: names.join(', ') + more, is_active: own.has(`${object_n} ${emoji}`) }
      found.set(object_n, [...(found.get(object_n) ?? []), reaction])
    }
  }
  return found
}

/** Object and emoji of what the person who asks gave. */
async function ownReactions(ctx: ReadContext<Tables>, kind: string, ns: number[]): Promise<Set<`${number} ${Emoji}`>> {
  if (!ctx.person) return new Set()
  const rows = await ctx.db
    .selectFrom('reactions__reaction')
    .select(['object_n', 'emoji'])
    .where('person_id', '=', ctx.person.id)
    .where('object_kind', '=', kind)
    .where('object_n', 'in', ns)
    .execute()
  return new Set(rows.map((row) => `${row.object_n} ${row.emoji as Emoji}` as const))
}

/** Who reacts to anything. */
export async function findReactors(ctx: ReadContext<Tables>, { after, limit }: { after: number; limit: number }): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('reactions__reaction')
    .select('person_id')
    .distinct()
    .where('person_id', '>', after)
    .orderBy('person_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.person_id)
}
