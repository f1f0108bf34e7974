import { postStatus } from '../../experiences/shared/api.ts'
import type { AnswerView } from '../shared/api.ts'

/** An answer without the text it was written as, which only its editor needs: pages carry no more than they show. */
export type ReadAnswer = Omit<AnswerView, 'content'>

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
  beside?: Record<string, unknown>
}

/** The reader sees none. The post counts those that everybody does. */
export const hasNoAnswers = ({ answer_count, beside }: Experience): boolean => answer_count === 0 && beside?.answers !== true

/** It takes new answers. */
export const isOpen = ({ status }: Experience): boolean => status === postStatus.available

export const orders = ['default', 'updated', 'created'] as const
export type Order = (typeof orders)[number]

export const orderOf = (text: string | null): Order => orders.find((order) => order === text) ?? 'default'

/** Answers that stand in the page from the start, and come with each further step. */
export const STEP = 30

/** Of `answer/page`, the same for all who ask for the first of them. */
export const firstAnswers = (experience_id: string, order: Order) =>
  ({ experience_id, order, page: 1, page_size: STEP, with_comments: true }) as const

export const can = (answer: ReadAnswer, action: string): boolean => answer.member_actions.some((entry) => entry.action === action)
