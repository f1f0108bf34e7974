import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { answerCalls, answersPage } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { acceptAnswer } from './accept-answer.ts'
import type { Capabilities } from './capabilities.ts'
import { editAnswer } from './edit-answer.ts'
import { publishBoth } from './publish-both.ts'
import { adminAnswers, infoByText, personAnswers, writtenAnswer } from './read-tokens.ts'
import { deleteAnswer, recoverAnswer, setAnswerStatus } from './remove-answer.ts'
import { experienceNumber, requireAnswer } from './rows.ts'
import { answerStatus } from './tables.ts'
import { writeAnswer } from './write-answer.ts'

/** Calls that only read; read workers answer them. */
export const readRoutes: Route[] = [
  route.read(answerCalls.info, schemas.info, {
    access: 'visitor',
    summary: 'One answer with its experience.',
    read: infoByText,
  }),
  route.read(answerCalls.page, schemas.page, {
    access: 'visitor',
    summary: 'Answers of an experience.',
    read: answersPage,
  }),
  route.read(answerCalls.personal, schemas.personal, {
    access: 'visitor',
    summary: 'Answers of one person.',
    read: personAnswers,
  }),
  route.read(answerCalls.adminPage, schemas.adminPage, {
    access: 'admin',
    summary: 'All answers by status, for the admin.',
    read: adminAnswers,
    // Words are looked for in every answer.
    lane: 'slow',
  }),
]

/** Calls that change answers. */
export function writeRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities

  return [
    route.write(answerCalls.create, schemas.create, {
      access: 'active',
      summary: 'Posts an answer.',
      form: {
        to: ({ info }) => `/experiences/${info.experience_id}/${info.id}`,
        keeps: ['content'],
        // 65,535 characters of three bytes each.
        bodyLimit: 640 * 1024,
      },
      limit: { action: 'answer.add', max: 30, seconds: 600 },
      duplicateGuard: true,
      write: async ({ body, person }) => ({
        n: await writeAnswer(capabilities, person, experienceNumber(ctx.ids, body.experience_id), body.content),
        actions: true,
      }),
      read: writtenAnswer,
    }),
    route.write(answerCalls.createBoth, schemas.createBoth, {
      access: 'active',
      summary: 'Posts an experience together with its answer.',
      duplicateGuard: true,
      write: async ({ body, person }) => ({ n: await publishBoth(capabilities, person, body), actions: false }),
      read: writtenAnswer,
    }),
    route(answerCalls.update, schemas.update, {
      access: 'active',
      summary: 'Rewrites an answer.',
      limit: { action: 'answer.edit', max: 60, seconds: 600 },
      handle: ({ body, person }) => editAnswer(capabilities, person, body),
    }),
    route(answerCalls.remove, schemas.remove, {
      access: 'active',
      summary: 'Deletes an answer.',
      handle: ({ body, person }) => deleteAnswer(capabilities, person, body.id),
    }),
    route(answerCalls.recover, schemas.recover, {
      access: 'active',
      summary: 'Takes a deletion back.',
      handle: ({ body, person }) => recoverAnswer(capabilities, person, body.answer_id),
    }),
    route(answerCalls.accept, schemas.accept, {
      access: 'active',
      summary: 'Marks the answer that helped, or takes the mark back.',
      handle: ({ body, person }) => acceptAnswer(capabilities, person, body.experience_id, body.answer_id),
    }),
    route(answerCalls.setStatus, schemas.setStatus, {
      access: 'admin',
      summary: 'Sets the status of an answer.',
      async handle({ body, person }) {
        const row = await requireAnswer(ctx.db.query, ctx.ids, body.answer_id, person)
        await setAnswerStatus(capabilities, row, answerStatus[body.status], person)
      },
    }),
  ]
}
