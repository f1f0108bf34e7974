import { call, defineErrors, event, live, service } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export * from './gate.ts'
export * from './slots.ts'

/** Whoever keeps a queue tells it that something else waits now. */
export interface ReviewDesk {
  changed(): Promise<void>
}
export const reviewDesk = service<ReviewDesk>('review.desk')

export const reviewEvents = {
  /** Staff decided about something that waited. */
  decided: event<{ kind: string; n: number; item: number; authorId: number; isApproved: boolean; note: string }>('review.decided'),
}

export const reviewLive = {
  /** Other things wait than before; the topic is `all`. Heard by staff. */
  waiting: live<Record<string, never>>('review.waiting'),
}

export const reviewCalls = {
  pending: call.get<typeof schemas.pending>('review/pending/post/page'),
  decide: call.put<typeof schemas.decide>('review/pending/post'),
}

export const reviewErrors = {
  ...defineErrors('error.review', {
    unavailable: { status: 400, message: '{reviewer} gave no opinion in time' },
    edit_refused: { status: 400, message: 'The edit is not let pass: {reason}' },
    parent_waits: { status: 400, message: '{kind} {n} stands below something that is not published' },
  }),
  object_not_found: defineErrors('error.object', { not_found: { status: 400, message: 'Nothing waits with the number {id}' } }).not_found,
}
