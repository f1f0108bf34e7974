import type { Person } from '@stoa/sdk'
import { service, services } from '@stoa/sdk'

/** A text that somebody is about to publish. */
export interface Submission {
  /** Kind name from `plugin.json` of its owner. */
  kind: string
  /** Running number of what is changed; absent for something new. */
  n?: number
  /** Empty for what has none. */
  title: string
  /** Markdown. */
  content: string
  /** Names of tags. */
  tags: readonly string[]
}

/** A text of the `server` branch by its key. */
export interface Reason {
  text: string
  params?: Record<string, string | number>
}

/** What a reviewer says: publish it, let staff look at it, or delete it. The strictest of all counts. */
export interface Opinion {
  verdict: 'approve' | 'wait' | 'reject'
  /** Why, for staff and for the author of what is deleted. */
  reason?: Reason
}

/** An `AbortSignal`, as both sides of a site know it. */
export interface Ending {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
}

/** Looks at texts before they are published. Any number; all are asked at once. Staff's own texts are never asked about. */
export interface Reviewer {
  /** Unique on the site; begins with the slug of its plugin. Stored. */
  id: string
  /** Key of its name in the `server` branch. */
  name: string
  /**
   * Whoever throws or takes longer than the owner of the site allows has no opinion; then the owner's choice counts.
   * @param signal ends what it has going on when its time is over
   */
  review(text: Submission, author: Person, signal: Ending): Promise<Opinion>
  /** What staff decided about something that this reviewer did not let pass. */
  decided?(text: { kind: string; n: number }, isApproved: boolean): Promise<void>
}
export const reviewers = services<Reviewer>('review.reviewers')

export interface Verdict {
  outcome: 'publish' | 'wait' | 'reject'
  reasons: { by: string; name: string; reason: Reason | null }[]
}

/** Owners of texts ask it through `wants`, before the transaction; without it everything is published. */
export interface Gate {
  /**
   * Asks all reviewers. `wait`: the owner stores it as pending, with status 11; `reject`: as deleted, by staff. What follows a publication is told when
   * it is published. An edit that is not let pass becomes a suggested edit where there are some.
   * @throws `error.review.unavailable` when the owner of the site wants nothing to be taken while a reviewer is down
   */
  ask(text: Submission, author: Person): Promise<Verdict>
  /** Keeps why something new was not published, in the transaction that stores it. */
  keep(object: { kind: string; n: number; authorId: number }, verdict: Verdict): Promise<void>
  /** Refuses an edit that can be kept nowhere. @throws `error.review.edit_refused` with the reason */
  refuse(verdict: Verdict): never
}
export const gate = service<Gate>('review.gate')
