import type { Person } from '@stoa/sdk'
import { decorator, read, services } from '@stoa/sdk'

/** An object as people see it who decide what happens to it. */
export interface ModeratedObject {
  authorId: number
  /** Unix seconds. */
  createdAt: number
  /** Title of the post that it is, or belongs to. */
  title: string
  url_title: string
  /** Public ids of what it is and belongs to; empty for none. */
  experience_id: string
  answer_id: string
  comment_id: string
  /** Markdown. */
  content: string
  html: string
  /** HTML of the text that it answers or comments on; empty for none. */
  about: string
  /** Null for what has no tags. */
  tags: { slug_name: string; display_name: string }[] | null
  answer_count: number
  answer_accepted: boolean
  /** 1 available, 2 closed, 10 deleted, 11 waiting. */
  status: number
  /** 1 listed, 2 unlisted. */
  show: number
}

/** What staff write in place of a text. */
export interface ModeratedText {
  title: string
  content: string
  /** Null leaves them as they are. */
  tags: { slug_name: string; display_name?: string; original_text?: string }[] | null
}

/**
 * Texts of a kind as staff handle them: their owner provides it, whoever keeps flags or a queue asks it. Everything happens as if that person had done
 * it in the owner's own pages: with the same checks, in the caller's transaction if there is one.
 */
export interface Moderated {
  /** Kind name from `plugin.json`. */
  kind: string
  /** Undefined for an unknown one, and for one that the person may not see. */
  find(n: number, person: Person): Promise<ModeratedObject | undefined>
  /** Deletes it. */
  remove(n: number, person: Person): Promise<void>
  /** Closes it, where its kind can be: a reason of the protocol and what was written to it. */
  close?(n: number, person: Person, reason: { type: number; message: string }): Promise<void>
  /** Takes it out of lists, where its kind can be. */
  unlist?(n: number, person: Person): Promise<void>
  /** Checks and renders before any transaction. @returns what stores the text */
  edit(n: number, person: Person, text: ModeratedText): Promise<() => Promise<void>>
  /** Publishes what waits, with everything that follows a publication, in the caller's transaction. @returns false when it does not wait any more */
  publish(n: number): Promise<boolean>
  /** Deletes what waits, so that its author does not bring it back. @returns false when it does not wait any more */
  reject(n: number): Promise<boolean>
  /** How many of somebody are published, counted up to `most`. */
  countOf(personId: number, most: number): Promise<number>
}
export const moderated = services<Moderated>('site.moderated')

/** A list of things that somebody may decide on. */
export interface ReviewQueue {
  /** The protocol's word for it, such as `flagged_post`. */
  name: string
  label: string
  /** What waits for the person who asks. */
  todo_amount: number
  /** Where it stands among the others. */
  order: number
}
/** Filled by whoever keeps a queue, for the person who asks; a queue that is not for them is left out. */
export const reviewQueues = decorator<{ queues: ReviewQueue[] }>('site.reviewQueues')

/** A reason to choose from, translated. */
export interface Reason {
  reason_key: string
  reason_type: number
  name: string
  description: string
  content_type: string
  placeholder: string
  have_content: boolean
}
/** The protocol's reasons for an action on objects of a kind; null where it has none. */
export const reasonsOf = read<{ objectType: string; action: string }, Reason[] | null>('site.reasons')
