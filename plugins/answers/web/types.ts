import type { PersonCard } from '../../accounts/shared/api.ts'

/** Replies of our calls, as the pages read them. */
export interface Answer {
  id: string
  experience_id: string
  content: string
  html: string
  create_time: number
  update_time: number
  /** 2: accepted. */
  accepted: number
  user_info: PersonCard
  update_user_info?: PersonCard
  vote_status: string
  vote_count: number
  comment_count: number
  /** 1 available, 10 deleted, 11 pending. */
  status: number
  member_actions: { action: string; name: string; type: string }[] | null
}

export interface AnswerPage {
  count: number
  list: Answer[]
}

/** What we use of the experience that the slot hands over. */
export interface Experience {
  id: string
  title: string
  url_title: string
  status: number
  answer_count: number
  answered: boolean
  first_answer_id: string
  operation?: { type: string; level: string }
}

export const orders = ['default', 'updated', 'created'] as const
export type Order = (typeof orders)[number]

export const orderOf = (text: string | null): Order => orders.find((order) => order === text) ?? 'default'

export const LIST = '/answer/api/v1/answer/page'
export const WRITE = '/answer/api/v1/answer'
/** Answers that stand in the page from the start, and come with each further step. */
export const STEP = 30

export const can = (answer: Answer, action: string): boolean => answer.member_actions?.some((entry) => entry.action === action) === true
