import type { Decorated, Page } from '@stoa/sdk'
import { read, rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { countedPage, isShown, statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SearchMark } from '../../search/shared/api.ts'
import type { Bookmarked } from '../shared/api.ts'
import { mostBookmarks, ownBookmarks, shownBookmarks } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { Tables } from './tables.ts'

/** `kinds`: those that can be bookmarked now. */
type Query = Static<typeof schemas.own.query> & { kinds: string[] }

export const bookmarksOfCaller = read<Query, Page<Bookmarked>>('bookmarks.ofCaller')

const among = statement((db: Kysely<Tables>, { personId, kind, ns }: { personId: number; kind: string; ns: readonly number[] }) =>
  db
    .selectFrom('bookmarks__bookmark')
    .select('object_n')
    .where('object_n', 'in', ns)
    .where('object_kind', '=', kind)
    .where('person_id', '=', personId),
)

/** Fills `collected`. One statement per kind; none for visitors. */
export async function fillCollected(ctx: ReadContext<Tables>, items: Decorated<{ collected: boolean }>[]): Promise<void> {
  if (!ctx.person) return
  for (const [kind, ofKind] of Map.groupBy(items, (item) => item.kind)) {
    const rows = await among(ctx.db, { personId: ctx.person.id, kind, ns: ofKind.map(({ n }) => n) })
    const own = new Set(rows.map((row) => row.object_n))
    for (const item of ofKind) item.view.collected = own.has(item.n)
  }
}

/** `personal/collection/page`: own bookmarks, last one first. */
export async function ownPage(ctx: ReadContext<Tables>, { kinds, ...query }: Query): Promise<Page<Bookmarked>> {
  if (kinds.length === 0) return { count: 0, list: [] }
  const of = { kind: sql.ref('bookmarks__bookmark.object_kind'), n: sql.ref('bookmarks__bookmark.object_n') }
  const own = ctx.db
    .selectFrom('bookmarks__bookmark')
    .where('person_id', '=', ctx.person?.id ?? 0)
    .where(await isShown(ctx, shownBookmarks, kinds, of))
  const { size, offset } = rowsOfPage(query)
  const { rows, count } = await countedPage(
    { size, offset },
    () => own.select(['object_kind as kind', 'object_n as n']).orderBy('id', 'desc').limit(size).offset(offset).execute(),
    async () => Number((await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count),
  )
  const items = rows.map((row) => ({ ...row, view: null as Bookmarked | null }))
  await ctx.decorate(ownBookmarks, items)
  return { count, list: items.flatMap(({ view }) => view ?? []) }
}

/** What the person who asks has bookmarked, last one first. */
export async function objectsOf(ctx: ReadContext<Tables>, { limit }: { limit: number }): Promise<{ kind: string; n: number }[]> {
  if (!ctx.person) return []
  return ctx.db
    .selectFrom('bookmarks__bookmark')
    .select(['object_kind as kind', 'object_n as n'])
    .where('person_id', '=', ctx.person.id)
    .orderBy('id', 'desc')
    .limit(Math.min(limit, mostBookmarks))
    .execute()
}

/** Answers `is:bookmarked` in a search: what the person who asks has bookmarked; nothing for visitors. */
export async function fillMarks(ctx: ReadContext<Tables>, marks: SearchMark[]): Promise<void> {
  const asked = marks.filter(({ word }) => word === 'bookmarked')
  if (asked.length === 0) return
  const objects = await objectsOf(ctx, { limit: mostBookmarks })
  for (const mark of asked) mark.objects = objects
}
