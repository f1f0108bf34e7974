import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { isLive, postStatus } from '../../shared/api.ts'

/** Of posts that {@link isLive}. */
export const liveStatuses = [postStatus.available, postStatus.closed]

/** Deleted and pending posts are seen by their author and staff; unlisted ones by everybody who has the address. */
export function mayView(person: Person | null, post: { authorId: number; status: number }): boolean {
  return isLive(post) || isStaff(person) || person?.id === post.authorId
}

/** Ids of the posts that they {@link mayView}. @param listed without those that stand in no list, except for their authors and staff */
export function visibleIds(person: Person | null, listed: boolean): RawBuilder<number> {
  if (isStaff(person)) return sql<number>`select id from experiences__post`
  const live = sql`status in (${sql.join(liveStatuses)})`
  const shown = listed ? sql`(${live} and ${sql.ref('show')} = 1)` : live
  return sql<number>`select id from experiences__post where (${shown} or author_id = ${person?.id ?? 0})`
}
