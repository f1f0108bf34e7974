import type { Person } from '@stoa/sdk'
import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { answerErrors, answerInfo } from '../shared/api.ts'
import { acceptAnswer } from './accept-answer.ts'
import type { Capabilities } from './capabilities.ts'
import { editAnswer } from './edit-answer.ts'
import { publishBoth } from './publish-both.ts'
import { adminAnswers, answersPage, infoByText, personAnswers } from './read-tokens.ts'
import { deleteAnswer, recoverAnswer, setAnswerStatus } from './remove-answer.ts'
import { experienceNumber, requireAnswer } from './rows.ts'
import { bodies, queries, replies } from './schemas.ts'
import { answerStatus } from './tables.ts'
import { writeAnswer } from './write-answer.ts'

const path = '/answer/api/v1/answer'
const adminPath = '/answer/admin/api/answer'

/** Calls that only read; read workers answer them. */
export const readRoutes: Route[] = [
  route({
    method: 'GET',
    path: `${path}/info`,
    access: 'visitor',
    summary: 'One answer with its experience.',
    query: queries.info,
    reply: replies.info,
    read: infoByText,
  }),
  route({
    method: 'GET',
    path: `${path}/page`,
    access: 'visitor',
    summary: 'Answers of an experience.',
    query: queries.page,
    reply: replies.page,
    read: answersPage,
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/personal/answer/page',
    access: 'visitor',
    summary: 'Answers of one person.',
    query: queries.profile,
    reply: replies.profile,
    read: personAnswers,
  }),
  route({
    method: 'GET',
    path: `${adminPath}/page`,
    access: 'admin',
    summary: 'All answers by status, for the admin.',
    query: queries.admin,
    reply: replies.admin,
    read: adminAnswers,
  }),
]

/** Calls that change answers. */
export function writeRoutes(capabilities: Capabilities): Route[] {
  const { ctx } = capabilities
  const limit = (action: string, max: number, person: Person | null) => ctx.limit(action, { key: (person as Person).id, max, seconds: 600 })
  const stored = async (n: number, actions: boolean) => {
    const found = await ctx.read(answerInfo, { n, actions })
    if (!found) throw answerErrors.not_found({ id: n })
    return found
  }

  return [
    route({
      method: 'POST',
      path,
      access: 'active',
      summary: 'Posts an answer.',
      body: bodies.create,
      reply: replies.info,
      duplicateGuard: true,
      async handle({ body, person }) {
        await limit('answer.add', 30, person)
        const n = await writeAnswer(capabilities, person as Person, experienceNumber(ctx.ids, body.experience_id), body.content)
        return stored(n, true)
      },
    }),
    route({
      method: 'POST',
      path: '/answer/api/v1/experience/answer',
      access: 'active',
      summary: 'Posts an experience together with its answer.',
      body: bodies.withExperience,
      reply: replies.info,
      duplicateGuard: true,
      handle: async ({ body, person }) => stored(await publishBoth(capabilities, person as Person, body), false),
    }),
    route({
      method: 'PUT',
      path,
      access: 'active',
      summary: 'Rewrites an answer.',
      body: bodies.update,
      reply: replies.updated,
      async handle({ body, person }) {
        await limit('answer.edit', 60, person)
        return editAnswer(capabilities, person as Person, body)
      },
    }),
    route({
      method: 'DELETE',
      path,
      access: 'active',
      summary: 'Deletes an answer.',
      body: bodies.remove,
      reply: replies.nothing,
      handle: ({ body, person }) => deleteAnswer(capabilities, person as Person, body.id),
    }),
    route({
      method: 'POST',
      path: `${path}/recover`,
      access: 'active',
      summary: 'Takes a deletion back.',
      body: bodies.recover,
      reply: replies.nothing,
      handle: ({ body, person }) => recoverAnswer(capabilities, person as Person, body.answer_id),
    }),
    route({
      method: 'POST',
      path: `${path}/acceptance`,
      access: 'active',
      summary: 'Marks the answer that helped, or takes the mark back.',
      body: bodies.accept,
      reply: replies.nothing,
      handle: ({ body, person }) => acceptAnswer(capabilities, person as Person, body.experience_id, body.answer_id),
    }),
    route({
      method: 'PUT',
      path: `${adminPath}/status`,
      access: 'admin',
      summary: 'Sets the status of an answer.',
      body: bodies.status,
      reply: replies.nothing,
      async handle({ body, person }) {
        const row = await requireAnswer(ctx.db.query, ctx.ids, body.answer_id, person)
        await setAnswerStatus(capabilities, row, answerStatus[body.status])
      },
    }),
  ]
}
