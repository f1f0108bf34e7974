import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import { isLive } from '../../shared/api.ts'

/** Deleted and pending posts are seen by their author and staff; unlisted ones by everybody who has the address. */
export function mayView(person: Person | null, post: { authorId: number; status: number }): boolean {
  return isLive(post) || isStaff(person) || person?.id === post.authorId
}
