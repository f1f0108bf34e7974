export * from './slots.ts'

import type { Decorated, Person } from '@stoa/sdk'
import { call, decorator, defineErrors, event, live, service, services } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { SeededVotables } from '../../votes/shared/api.ts'
import type * as schemas from './schemas.ts'

/** Something that can be commented on; each owner of a kind provides one. */
export interface Commentable {
  /** Kind name from `plugin.json`. */
  kind: string
  /**
   * Undefined when it does not exist or `person` may not see it. `experience`: number of the post it belongs to, its own for a post; `open`: new
   * comments are taken; `shown`: everybody can see it, in lists too (default true); `page`: long id of what has the page that it stands on, its own by
   default: open tabs with that page hear of new comments.
   */
  find(
    n: number,
    person: Person | null,
  ): Promise<{ authorId: number; experience: number; open: boolean; shown?: boolean; page?: string } | undefined>
  /** Those of these that everybody can see: asked when comments were off. Without it what {@link Threads.show} said last stands. */
  shown?(ns: number[]): Promise<number[]>
  /**
   * Holds it, and before it the post that it stands below, against other writers until the caller's transaction ends: what `find` says from then on
   * stays. Called before its comments change. Without it, a comment may be taken while it is being closed.
   */
  hold?(n: number): Promise<void>
  /** Number of comments changed; in the caller's transaction. */
  count?(n: number, delta: number): Promise<void>
}
export const commentable = services<Commentable>('comments.commentable')

/** What owners send of an object. */
export interface Commented {
  beside?: Record<string, unknown> | undefined
  /** Comments that everybody sees, where the owner counts them. */
  comment_count?: number
}
/**
 * Called by the owner of a kind for objects on their way out: filled is `beside.comments`, whether the person who asks would see comments below them.
 * {@link threadOf} reads it. Who counts comments asks only for objects without, of people who may see what others do not.
 */
export const commented = decorator<Decorated<Commented>>('comments.commented')
/**
 * The same for who is about to show them: instead of true `beside.comments` is their first page, as `comment/page` sends it, with
 * {@link FIRST_COMMENTS} of them.
 */
export const firstComments = decorator<Decorated<Commented>>('comments.first')
export const FIRST_COMMENTS = 5

/**
 * `count` and `first` of the slot `comments.thread`: 0 where the reader would see none, otherwise what the owner counts; and the comments that came along.
 * @param beside of the object @param counted comments that everybody sees; undefined where the owner counts none
 */
export function threadOf({ beside }: Commented, counted?: number): { count?: number; first?: CommentsPage } {
  const comments = beside?.comments
  if (comments === false) return { count: 0 }
  if (typeof comments === 'object' && comments) return { first: comments as CommentsPage }
  const count = comments === undefined ? counted : counted || undefined
  return count === undefined ? {} : { count }
}

/** Numbers of comments that stand, for those who keep them (`kept` of `server/commands.ts`). */
export const countedComments = 'comments.standing'
/** 1 for each post, and each answer, that everybody can see, which whoever stores them counts: their comments stand in profiles. */
export const shownPosts = 'comments.shownPosts'
export const shownAnswers = 'comments.shownAnswers'

/** What hangs below objects of other plugins. */
export interface Threads {
  /**
   * Everybody can see these objects from now on, or not any more: their comments stand in profiles accordingly. Called by the owner of the kind, in
   * the transaction of its change.
   */
  show(kind: string, ns: readonly number[], shown: boolean): Promise<void>
}
export const threads = service<Threads>('comments.threads')

/** What a comment in a profile stands below, as `personal/comment/page` shows it. */
export interface CommentedView {
  /** Id and title of the post, whichever part of it was commented on. */
  experience_id: string
  title: string
  url_title: string
  /** Empty unless an answer was commented on. */
  answer_id: string
}
/** Rows of somebody's comments: owners of posts fill ids and titles by `experience`, owners of parts of them theirs by `kind` and `n`. */
export const ownComments = decorator<{ kind: string; n: number; experience: number; view: CommentedView }>('comments.own')

/** What `npm run seed` made of things to comment on: whoever provides {@link commentable} returns it as `internal`. */
export interface SeededCommentables {
  /**
   * In order of their numbers, some at once. `experience`: default the number itself; `comments`: the count already stored, none where objects count
   * none; `listed`: everybody can see it. @param db transaction of the calling seeder
   */
  each(db: unknown): AsyncIterable<{ n: number; experience?: number; createdAt: number; comments?: number; listed: boolean }[]>
}

/** A comment as `comment/page` gives it; votes fills `is_vote`. */
export type CommentView = Static<typeof schemas.comment>
export type CommentsPage = Static<typeof schemas.page.reply>
export const commentList = decorator<Decorated<CommentView>>('comments.list')

export const commentEvents = {
  created: event<{ n: number; objectId: string; authorId: number; replyTo: number }>('comments.created'),
  changed: event<{ n: number }>('comments.changed', { whileOff: 'resync' }),
  deleted: event<{ n: number }>('comments.deleted', { whileOff: 'replay' }),
}

export const commentLive = {
  /** Somebody commented; the topic is the long id of what has the page. `objectId`: long id of what was commented on; `authorId`: public id of who did. */
  added: live<{ objectId: string; authorId: string }>('comments.added'),
}

/** What `npm run seed` made of comments, for the seeders after it. */
export interface SeededComments extends SeededVotables {
  /** Some at once; `votes` is the count already stored. @param db transaction of the calling seeder */
  each(db: unknown): AsyncIterable<{ n: number; authorId: number; createdAt: number; votes: number }[]>
}

export const commentCalls = {
  page: call.get<typeof schemas.page>('comment/page'),
  personal: call.get<typeof schemas.personal>('personal/comment/page'),
  create: call.post<typeof schemas.create>('comment'),
  update: call.put<typeof schemas.update>('comment'),
  remove: call.del<typeof schemas.remove>('comment'),
}

export const commentErrors = {
  ...defineErrors('error.comment', {
    not_found: { status: 400, message: 'No comment {id}' },
    cannot_edit_after_deadline: { status: 400, message: 'Comment {id} is older than 5 minutes' },
    closed: { status: 400, message: '{id} takes no comments' },
  }),
  object_not_found: defineErrors('error.object', { not_found: { status: 404, message: 'Nothing to comment on: {id}' } }).not_found,
}
