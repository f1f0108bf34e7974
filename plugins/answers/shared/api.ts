export * from './slots.ts'

import type { Decorated, Page, Person } from '@stoa/sdk'
import { bail, call, decorator, defineErrors, event, live, read, series, waterfall } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { SeededCommentables } from '../../comments/shared/api.ts'
import type { SeededVotables } from '../../votes/shared/api.ts'
import type * as schemas from './schemas.ts'

export interface AnswerDraft {
  /** Running number when an existing answer is edited. */
  n?: number
  /** Running number of the experience. */
  experience: number
  content: string
  /** What an edit is about, at most 255 characters. */
  summary?: string
}

export const answerHooks = {
  /** Last chance to change or refuse an answer, before the transaction. */
  beforePublish: waterfall<(draft: AnswerDraft, author: Person) => AnswerDraft>('answers.beforePublish', {
    onFault: 'refuse',
    shape: { n: 'number?', experience: 'number', content: 'string', summary: 'string?' },
  }),
  /** In the storing transaction. */
  stored: series<(answer: { n: number; draft: AnswerDraft; authorId: number; created: boolean }) => void>('answers.stored', {
    onFault: 'refuse',
  }),
  /**
   * An edit by somebody who may propose but not change. The first tap that says true keeps the proposal for review;
   * when all are silent it is refused, so that no text is taken that nobody will look at.
   */
  proposed: bail<(draft: AnswerDraft, author: Person) => boolean>('answers.proposed', { onFault: 'refuse' }),
  /** In the transaction: the answer was deleted or came back. */
  shownChanged: series<(answer: { n: number; shown: boolean }) => void>('answers.shownChanged', { onFault: 'refuse' }),
}

export const answerEvents = {
  created: event<{ n: number; experience: number; authorId: number }>('answers.created'),
  /** Somebody changed the text; `version`: the new one, `editorId`: whose change it is, also when somebody else let it pass. */
  edited: event<{ n: number; experience: number; editorId: number; version: number }>('answers.edited'),
  changed: event<{ n: number; experience: number }>('answers.changed', { whileOff: 'resync' }),
  /** Somebody deleted an answer or brought it back. `personId` 0: the site itself; `byStaff`: not its author; `at`: Unix seconds. */
  acted: event<{ n: number; experience: number; act: 'deleted' | 'undeleted'; personId: number; byStaff: boolean; at: number }>(
    'answers.acted',
    { whileOff: 'replay' },
  ),
  accepted: event<{ n: number; experience: number; byId: number }>('answers.accepted'),
}

export const answerLive = {
  /** Somebody answered; the topic is the long id of the post. `id`: long id of the answer; `authorId`: public id of who wrote it. */
  added: live<{ id: string; authorId: string }>('answers.added'),
}

/** Item of `answer/page`; votes fills `vote_status`. */
export type AnswerView = Static<typeof schemas.answer>
export const answerList = decorator<Decorated<AnswerView>>('answers.list')

export interface AnswerFacts {
  n: number
  id: string
  experience: number
  authorId: number
  status: number
  accepted: boolean
  voteCount: number
  createdAt: number
  html: string
}
/** Short facts by running number, for other plugins' reads; unknown numbers are left out. */
export const answerCards = read<{ ns: number[] }, Record<number, AnswerFacts>>('answers.cards')

/** `answer/page` for the person who asks. @throws `error.experience.not_found` */
export const answersPage = read<Static<typeof schemas.page.query>, Page<AnswerView>>('answers.page')

/** The first `limit` accepted answers with a number above `after`, in the order of their numbers; those that are not shown are left out. */
export const acceptedAnswers = read<{ after: number; limit: number }, { n: number; experience: number; authorId: number }[]>(
  'answers.accepted',
)

/** Reply of `answer/info`. */
export type AnswerWithExperience = Static<typeof schemas.info.reply>
/** Reply of `answer/info` for the person who asks; null when there is none they may see. */
export const answerInfo = read<{ n: number; actions?: boolean }, AnswerWithExperience | null>('answers.info')

/** What `npm run seed` made of answers, for the seeders after it: `seeded<{ internal: SeededAnswers }>('answers').internal`. */
export interface SeededAnswers extends SeededCommentables, SeededVotables {
  /** In order of their numbers, some at once. `votes` and `comments` are the counts already stored. @param db transaction of the calling seeder */
  each(
    db: unknown,
  ): AsyncIterable<
    { n: number; experience: number; authorId: number; createdAt: number; votes: number; comments: number; listed: boolean }[]
  >
}

export const answerCalls = {
  info: call.get<typeof schemas.info>('answer/info'),
  page: call.get<typeof schemas.page>('answer/page'),
  personal: call.get<typeof schemas.personal>('personal/answer/page'),
  adminPage: call.get<typeof schemas.adminPage>('answer/page', { admin: true }),
  create: call.post<typeof schemas.create>('answer'),
  createBoth: call.post<typeof schemas.createBoth>('experience/answer'),
  update: call.put<typeof schemas.update>('answer'),
  remove: call.del<typeof schemas.remove>('answer'),
  recover: call.post<typeof schemas.recover>('answer/recover'),
  accept: call.post<typeof schemas.accept>('answer/acceptance'),
  setStatus: call.put<typeof schemas.setStatus>('answer/status', { admin: true }),
}

/** Data of the 409 `error.answer.changed_meanwhile` to an edit that names a version: somebody else was quicker, and this stands there now. */
export interface ChangedMeanwhile {
  version: number
  content: string
  /** Who changed it, or empty. */
  editor: string
}

export const answerErrors = defineErrors('error.answer', {
  not_found: { status: 404, message: 'No answer {id}' },
  cannot_deleted: { status: 400, message: 'Answer {id} may not be deleted' },
  cannot_update: { status: 400, message: 'Answer {id} may not be updated' },
  cannot_accept: { status: 400, message: 'Answer {id} is not an answer that can be accepted here' },
  restrict_answer: { status: 403, message: 'One answer per person; {id} stands already' },
  parent_waits: { status: 400, message: 'Answer {id} is to a post that is not published' },
  experience_closed_cannot_add: { status: 400, message: 'Experience {id} takes no answers' },
})
