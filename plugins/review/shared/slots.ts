import { slot, slots } from '@stoa/sdk'

/** One thing to decide, as its queue hands it to the frame. */
export interface ReviewItem {
  title: string
  /** Where it stands in the site. */
  to: string
  author: { display_name: string; username: string; avatar: string; status: string }
  /** When it was written, in Unix seconds. */
  at: number
  /** In what state it is, in words. */
  states?: readonly string[]
  /** HTML of what it answers or comments on; empty for none. */
  about?: string
  /** Rendered text. */
  html?: string
  tags?: readonly { slug_name: string; display_name: string }[]
  /** Why it is here, or what would change. */
  children?: unknown
  /** What can be decided, the usual first. */
  actions: readonly ReviewAction[]
  /** Why the last one was refused. */
  problem?: string
}

export interface ReviewAction {
  label: string
  /** The letter that does it too; `c`, `g`, `j` and `k` are the site's. */
  shortcut: string
  tone?: 'primary' | 'danger' | 'quiet'
  busy?: boolean
  onSelect(): void
}

/** Places of the review page. */
export const reviewSlots = {
  /** A queue of `reviewing/type`: a contribution shows the thing on that page of its own queue, and nothing for others. */
  queue: slots<{
    /** The protocol's name of the queue that is open. */
    queue: string
    page: number
    count: number
    /** Something was decided: the next thing comes. */
    onDecided(): Promise<void>
    onSkip(): void
  }>('review.queue'),
  /** Drawn by queues around what is to be decided; the review page fills it. */
  frame: slot<ReviewItem>('review.frame'),
}
