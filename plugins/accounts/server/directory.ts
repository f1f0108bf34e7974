import type { ReadContext } from '@stoa/sdk/server'
import { rowsOfPage } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { avatarUrl } from './cards.ts'
import type { Directory, DirectoryQuery } from './read-tokens.ts'
import { beginsWith } from './search-people.ts'
import type { AccountTables } from './tables.ts'
import { cardColumns } from './tables.ts'

/** Everybody who is active here: nobody deleted, suspended or not yet confirmed. */
export async function readDirectory(
  ctx: ReadContext<AccountTables>,
  params: DirectoryQuery,
  settings: SettingsGroups['users'],
): Promise<Directory> {
  const { size, offset } = rowsOfPage(params)
  const name = params.name?.trim() ?? ''
  const active = ctx.db.selectFrom('accounts__profile').where('state', '=', 'normal')
  const matching = name ? active.where(beginsWith(name)) : active
  const { count } = await matching.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select([...cardColumns, 'created_at'])
    .orderBy(params.order === 'newest' ? 'created_at' : 'rank', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const list = rows.map((row) => ({
    username: row.username,
    rank: row.rank,
    created_at: row.created_at,
    display_name: row.display_name,
    avatar: avatarUrl(row, settings),
  }))
  return { count: Number(count), list }
}
