import type { AnswerView } from '../shared/api.ts'

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

const OPEN = 1
const CLOSED = 2

/** It takes new answers. */
export const isOpen = ({ status }: Experience): boolean => status === OPEN
/** Not deleted and not waiting for review: else only its author and staff see it, and votes and comments below it are refused. */
export const isLive = ({ status }: Experience): boolean => status === OPEN || status === CLOSED

export const orders = ['default', 'updated', 'created'] as const
export type Order = (typeof orders)[number]

export const orderOf = (text: string | null): Order => orders.find((order) => order === text) ?? 'default'

/** Answers that stand in the page from the start, and come with each further step. */
export const STEP = 30

export const can = (answer: AnswerView, action: string): boolean => answer.member_actions.some((entry) => entry.action === action)
