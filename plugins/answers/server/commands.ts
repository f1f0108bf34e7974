import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { countedComments } from '../../comments/shared/api.ts'
import { countedAnswers } from '../../experiences/shared/api.ts'
import { countedVotes } from '../../votes/shared/api.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

const ofAnswers = { kind: 'answer', table: 'answers__answer', key: 'id' }

export default defineCommands({
  counted: [
    {
      of: countedAnswers,
      rows: (db: Kysely<Tables>) =>
        db
          .selectFrom('answers__answer')
          .select((eb) => [sql<string>`'experience'`.as('kind'), 'experience as n', eb.fn.countAll<number>().as('total')])
          .where('status', '=', answerStatus.available)
          .groupBy('experience'),
    },
  ],
  kept: [
    { ...ofAnswers, of: countedVotes, column: 'vote_count', name: 'votes of answers' },
    { ...ofAnswers, of: countedComments, column: 'comment_count', name: 'comments on answers' },
  ],
})
