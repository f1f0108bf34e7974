import { slots } from '@stoa/sdk'

/** Places in a comment. */
export const commentSlots = {
  /** At the beginning of its actions. `comment`: as `comment/page` sends it. */
  actions: slots<{
    /** Public id of the comment. */
    id: string
    comment: { user_id: string; vote_count: number; is_vote: boolean }
  }>('comments.actions', { was: ['comment.actions'] }),
}
