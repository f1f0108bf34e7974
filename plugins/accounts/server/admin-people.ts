import type { ReadContext } from '@stoa/sdk/server'
import { roles, rowsOfPage } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { avatarUrl } from './cards.ts'
import type { AdminPeopleQuery } from './read-tokens.ts'
import { beginsWith } from './search-people.ts'
import type { AccountTables } from './tables.ts'
import { profileColumns } from './tables.ts'

/** People for the admin: by state, staff only, or by a text that is an address, `user:ID` or the beginning of a name. */
export async function readAdminPeople(ctx: ReadContext<AccountTables>, params: AdminPeopleQuery, settings: SettingsGroups['users']) {
  const { size, offset } = rowsOfPage(params)
  const matching = filtered(ctx, params)
  const { count } = await matching.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(profileColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const list = rows.map((row) => ({
    user_id: String(row.id),
    created_at: row.created_at,
    deleted_at: row.deleted_at,
    suspended_at: row.state === 'suspended' ? row.suspended_at : 0,
    suspended_until: row.state === 'suspended' ? row.suspended_until : 0,
    username: row.username,
    e_mail: row.email,
    rank: row.rank,
    status: row.state,
    display_name: row.display_name,
    avatar: avatarUrl(row, settings),
    role_id: row.role,
    role_name: ctx.text(`role.${row.role}.name`),
  }))
  return { count: Number(count), list }
}

function filtered(ctx: ReadContext<AccountTables>, { status, staff, query }: AdminPeopleQuery) {
  const text = query?.trim() ?? ''
  let people = ctx.db.selectFrom('accounts__profile')
  if (status) people = people.where('state', '=', status)
  else if (text) people = people.where('state', '!=', 'deleted')
  else people = people.where('state', '=', 'normal')
  if (staff) people = people.where('role', 'in', [roles.admin, roles.moderator])
  const id = /^user:(\d{1,15})$/.exec(text)?.[1]
  if (id) return people.where('id', '=', Number(id))
  if (text.includes('@')) return people.where('email', '=', text.toLowerCase())
  return text ? people.where(beginsWith(text)) : people
}
