import type { Decorated, Person } from '@stoa/sdk'
import { decorator, defineErrors, event, services } from '@stoa/sdk'
import type { SeededVotables } from '../../votes/shared/api.ts'

export * from './slots.ts'

export * from './slots.ts'

/** Something that can be commented on; each owner of a kind provides one. */
export interface Commentable {
  /** Kind name from `plugin.json`. */
  kind: string
  /** Undefined when it does not exist or `person` may not see it. `open`: new comments are taken. */
  find(n: number, person: Person | null): Promise<{ authorId: number; experience: number; open: boolean } | undefined>
  /** Number of comments changed; in the caller's transaction. */
  count?(n: number, delta: number): Promise<void>
}
export const commentable = services<Commentable>('comments.commentable')

export interface CommentView {
  comment_id: string
  is_vote: boolean
  [member: string]: unknown
}
export const commentList = decorator<Decorated<CommentView>>('comments.list')

export const commentEvents = {
  created: event<{ n: number; objectId: string; authorId: number; replyTo: number }>('comments.created'),
  changed: event<{ n: number }>('comments.changed', { whileOff: 'resync' }),
}

/** What `npm run seed` made of comments, for the seeders after it. */
export interface SeededComments extends SeededVotables {
  /** Some at once; `votes` is the count already stored. @param db transaction of the calling seeder */
  each(db: unknown): AsyncIterable<{ n: number; authorId: number; createdAt: number; votes: number }[]>
}

export const commentErrors = {
  ...defineErrors('error.comment', {
    not_found: { status: 400, message: 'No comment {id}' },
    cannot_edit_after_deadline: { status: 400, message: 'Comment {id} is older than 5 minutes' },
    closed: { status: 400, message: '{id} takes no comments' },
  }),
  object_not_found: defineErrors('error.object', { not_found: { status: 404, message: 'Nothing to comment on: {id}' } }).not_found,
}
