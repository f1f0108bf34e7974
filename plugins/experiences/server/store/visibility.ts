import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import { postStatus } from '../../shared/api.ts'

/** Deleted and pending posts are seen by their author and staff; unlisted ones by everybody who has the address. */
export function mayView(person: Person | null, post: { authorId: number; status: number }): boolean {
  if (post.status === postStatus.available || post.status === postStatus.closed) return true
  return isStaff(person) || person?.id === post.authorId
}

/** Stands in public lists. */
export const isListed = ({ status, show }: { status: number; show: number }): boolean => isLive(status) && show === 1

/** Takes part in the life of the site: comments and votes are taken. */
export const isLive = (status: number): boolean => status === postStatus.available || status === postStatus.closed
