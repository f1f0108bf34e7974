import type { ReadContext } from '@stoa/sdk/server'
import { MOST_PER_PAGE, roles } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { SettingsGroups } from '../../site/shared/api.ts'
import type { PersonCard } from '../shared/api.ts'
import { avatarUrl, cardOf } from './cards.ts'
import type { StaffQuery } from './read-tokens.ts'
import type { AccountTables } from './tables.ts'
import { cardColumns } from './tables.ts'

const SEARCH_LIMIT = 5
const STAFF_LIMIT = 10

/** Condition: username or display name begins with the text, case aside. */
export function beginsWith(text: string) {
  const pattern = `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(username_lower like ${pattern} escape '\\' or display_lower like ${pattern} escape '\\')`
}

/** At most five active people other than oneself, for invitations and mentions. */
export async function readPeopleSearch(
  ctx: ReadContext<AccountTables>,
  { username }: { username: string },
  settings: SettingsGroups['users'],
): Promise<PersonCard[]> {
  const rows = await ctx.db
    .selectFrom('accounts__profile')
    .select(cardColumns)
    .where('state', '=', 'normal')
    .where('id', '!=', ctx.person?.id ?? 0)
    .where(beginsWith(username))
    .orderBy('rank', 'desc')
    .orderBy('id')
    .limit(SEARCH_LIMIT)
    .execute()
  return rows.map((row) => cardOf(row, settings))
}

/** Moderators and admins by the beginning of their name; null when nobody matches, as the protocol has it. */
export async function readStaff(ctx: ReadContext<AccountTables>, params: StaffQuery, settings: SettingsGroups['users']) {
  let query = ctx.db
    .selectFrom('accounts__profile')
    .select(cardColumns)
    .where('state', '=', 'normal')
    .where('role', 'in', [roles.admin, roles.moderator])
  if (params.username) query = query.where(beginsWith(params.username))
  const rows = await query
    .orderBy('username_lower')
    .limit(Math.min(params.page_size ?? STAFF_LIMIT, MOST_PER_PAGE))
    .execute()
  return rows.length === 0
    ? null
    : rows.map((row) => ({ username: row.username, display_name: row.display_name, avatar: avatarUrl(row, settings) }))
}
