import { slot, slots } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

/** Places in comments, and the one that they fill. */
export const commentSlots = {
  /** At the beginning of a comment's actions. `comment`: as `comment/page` sends it. */
  actions: slots<{
    /** Public id of the comment. */
    id: string
    comment: { user_id: string; vote_count: number; is_vote: boolean }
  }>('comments.actions', { was: ['comment.actions'] }),
  /** Comments fills it, owners of what can be commented on draw it below their text: what was said about it, and the place to say more. */
  thread: slot<{
    /** Public id of what is commented on. */
    id: string
    /** `small`: one of several texts on a page. */
    size: 'normal' | 'small'
    /** Where the owner keeps it: nothing is asked for while it is 0. */
    count?: number
    /** Comments that came with it, see `threadOf`: nothing is asked for while they are there. */
    first?: Static<typeof schemas.page.reply>
    /** Public id of what has the page, where that is something else: new comments are announced to whoever has it open. */
    page?: string
    /** What was said is shown, and nothing more can be said about it. Default false. */
    closed?: boolean
  }>('comments.thread'),
}
