import { slots } from '@stoa/sdk'

/** What the page hands to the places of an answer. */
export interface AnswerPlace {
  /** Public id of the answer. */
  id: string
  /** Public id of the post it answers. */
  experienceId: string
  /** The answer as `answer/page` sends it. */
  answer: PlacedAnswer
}

export interface PlacedAnswer {
  id: string
  /** Rendered text. */
  html: string
  /** 1 available, 10 deleted, 11 pending. */
  status: number
  vote_count: number
  /** `vote_up`, `vote_down` or empty: what the reader gave. */
  vote_status: string
  comment_count: number
  user_info: { id: string }
  /** What plugins that are on show with the answer, by slug; each says in its contract how it is read. */
  beside?: Record<string, unknown>
}

/** Places in an answer. */
export const answerSlots = {
  /** Beside its text. */
  vote: slots<AnswerPlace>('answers.vote', { was: ['answer.vote'] }),
  /** At the beginning of its line of actions. */
  actions: slots<AnswerPlace>('answers.actions'),
  /** Entries of its menu, behind its own: `MenuEntry` of the kit. */
  menu: slots<AnswerPlace>('answers.menu'),
  /** Below its text and its actions. */
  footer: slots<AnswerPlace>('answers.footer', { was: ['answer.footer'] }),
}
