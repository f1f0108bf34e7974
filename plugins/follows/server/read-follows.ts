import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { mostFollowed } from '../shared/api.ts'
import type { Tables } from './tables.ts'

const among = statement((db: Kysely<Tables>, { personId, kind, ns }: { personId: number; kind: string; ns: readonly number[] }) =>
  db
    .selectFrom('follows__follow')
    .select('object_n')
    .where('object_n', 'in', ns)
    .where('object_kind', '=', kind)
    .where('person_id', '=', personId),
)

/** Fills `is_followed`. One statement per kind; none for visitors. */
export async function fillIsFollowed(ctx: ReadContext<Tables>, items: Decorated<{ is_followed: boolean }>[]): Promise<void> {
  if (!ctx.person) return
  for (const [kind, ofKind] of Map.groupBy(items, (item) => item.kind)) {
    const rows = await among(ctx.db, { personId: ctx.person.id, kind, ns: ofKind.map(({ n }) => n) })
    const own = new Set(rows.map((row) => row.object_n))
    for (const item of ofKind) item.view.is_followed = own.has(item.n)
  }
}

/** What the person who asks follows of a kind, last followed first. */
export async function numbersOf(ctx: ReadContext<Tables>, { kind, limit }: { kind: string; limit: number }): Promise<number[]> {
  if (!ctx.person) return []
  const rows = await ctx.db
    .selectFrom('follows__follow')
    .select('object_n')
    .where('person_id', '=', ctx.person.id)
    .where('object_kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(Math.min(limit, mostFollowed))
    .execute()
  return rows.map((row) => row.object_n)
}
