import type { ReadContext } from '@stoa/sdk/server'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { accountErrors } from '../shared/api.ts'
import { avatarUrl } from './cards.ts'
import { personNamed } from './names.ts'
import type { AccountTables } from './tables.ts'
import { profileColumns } from './tables.ts'

/** What anybody may know of a person. Somebody deleted is not found. */
export async function readPublicProfile(
  ctx: ReadContext<AccountTables>,
  { username }: { username: string },
  settings: SettingsGroups['users'],
) {
  const row = await ctx.db
    .selectFrom('accounts__profile')
    .select(profileColumns)
    .where('id', '=', personNamed(ctx.db, username))
    .where('state', '!=', 'deleted')
    .executeTakeFirst()
  if (!row) throw accountErrors.page_not_found({ username })
  return {
    id: String(row.id),
    created_at: row.created_at,
    last_login_date: row.last_login_at,
    username: row.username,
    follow_count: row.follow_count,
    answer_count: row.answer_count,
    experience_count: row.experience_count,
    rank: row.rank,
    display_name: row.display_name,
    avatar: avatarUrl(row, settings),
    mobile: '',
    bio: row.bio,
    bio_html: row.bio_html,
    website: row.website,
    location: row.location,
    status: row.state,
    ...(row.state === 'normal' ? {} : { status_msg: ctx.text(`accounts.status.${row.state}`) }),
  }
}
