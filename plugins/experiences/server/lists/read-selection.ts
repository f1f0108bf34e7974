import type { Page } from '@stoa/sdk'
import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ExperienceListItem, PostSelection } from '../../shared/api.ts'
import { postStatus } from '../../shared/api.ts'
import { postColumns } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { listItems } from './list-item.ts'
import { selectPage } from './select-page.ts'

type Ids = readonly RawBuilder<number>[]

/** Open posts that a plugin selects: `first` ones, then those of `among`; in each part pinned ones first, then the newest. */
export async function selectedPage(ctx: ReadContext<Tables>, selection: PostSelection): Promise<Page<ExperienceListItem>> {
  const { first, notBy, key } = selection
  const among = selection.among as Ids
  const except = selection.except as Ids
  const { size, offset } = rowsOfPage(selection)
  const before =
    first.length === 0
      ? []
      : await ctx.db
          .selectFrom('experiences__post')
          .select(postColumns)
          .where('id', 'in', first)
          .where('tier', '>=', 1)
          .where('status', '=', postStatus.available)
          .orderBy('tier', 'desc')
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .execute()
  const own = before.slice(offset, offset + size)
  if (among.length === 0) return { count: before.length, list: await listItems(ctx, own) }
  const ns = before.map(({ id }) => id)
  const { count, rows } = await selectPage(ctx, {
    order: 'newest',
    page: 1,
    // At least one row is asked for: the count comes with it.
    size: Math.max(1, size - own.length),
    offset: Math.max(0, offset - before.length),
    filters: { ids: [sql<number>`${sql.join(among, sql` union all `)}`], key: `${key}|${ns}` },
    conditions: [
      sql<boolean>`+status = ${postStatus.available}`,
      ...(notBy === undefined ? [] : [sql<boolean>`+author_id <> ${notBy}`]),
      ...(ns.length === 0 ? [] : [sql<boolean>`id not in (${sql.join(ns)})`]),
      ...except.map((ids) => sql<boolean>`id not in (${ids})`),
    ],
  })
  return { count: before.length + count, list: await listItems(ctx, [...own, ...rows.slice(0, size - own.length)]) }
}
