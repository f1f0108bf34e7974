import { batches, replaceNumber } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Capabilities } from './capabilities.ts'
import { setAnswerStatus } from './remove-answer.ts'
import { answerColumns, answerStatus } from './tables.ts'
import { tellChanged } from './tell-changed.ts'

/** Answers whose texts are in memory at a time. */
const BATCH = 100

/** Deletes all answers of somebody, in the current transaction. */
export async function removeAllOf(capabilities: Capabilities, personId: number): Promise<void> {
  const { ctx, posts } = capabilities
  const rows = await ctx.db.query
    .selectFrom('answers__answer')
    .select(answerColumns)
    .where('person_id', '=', personId)
    .where('status', '!=', answerStatus.deleted)
    .orderBy('id')
    .execute()
  await posts.hold(...rows.map(({ experience }) => experience))
  for (const row of rows) await setAnswerStatus(capabilities, row, answerStatus.deleted, ctx.host.request()?.person ?? null)
}

/** Answers of a person; those that stay are by nobody. */
export function personalAnswers(capabilities: Capabilities): PersonalData {
  const { ctx } = capabilities
  return {
    async export(personId, archive) {
      const pages = batches(BATCH, (after, limit) =>
        ctx.db.query
          .selectFrom('answers__answer')
          .innerJoin('answers__text', 'answer_id', 'id')
          .select(['id', 'experience', 'status', 'accepted', 'created_at', 'updated_at', 'content'])
          .where('person_id', '=', personId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for await (const rows of pages) {
        await archive.records(
          'answers',
          rows.map(({ id, experience, ...row }) => ({
            id: ctx.ids.encode('answer', id),
            experience_id: ctx.ids.encode('experience', experience),
            ...row,
          })),
        )
      }
    },
    async erase({ personId, standInId, removesContent }) {
      const columns = ['person_id', 'editor_id', 'acted_by']
      await replaceNumber(ctx.db, { table: 'answers__answer', key: 'id', columns, from: personId, to: standInId })
      await ctx.db.write(async (tx) => {
        if (removesContent) await removeAllOf(capabilities, standInId)
        const rows = await tx.selectFrom('answers__answer').select(['id', 'experience']).where('person_id', '=', standInId).execute()
        for (const { id, experience } of rows) await tellChanged(ctx, { n: id, experience })
      })
    },
  }
}
