import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { countedOfPeople } from '../../accounts/shared/api.ts'
import { countedComments, shownAnswers } from '../../comments/shared/api.ts'
import { countedAnswers, listedPosts } from '../../experiences/shared/api.ts'
import { countedVotes } from '../../votes/shared/api.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

const ofAnswers = { kind: 'answer', table: 'answers__answer', key: 'id' }

const standing = (db: Kysely<Tables>) => db.selectFrom('answers__answer').where('status', '=', answerStatus.available)
const shown = (db: Kysely<Tables>) => standing(db).where('parent_listed', '=', 1)

export default defineCommands({
  counted: [
    {
      of: countedAnswers,
      rows: (db: Kysely<Tables>) =>
        standing(db)
          .select((eb) => [sql<string>`'experience'`.as('kind'), 'experience as n', eb.fn.countAll<number>().as('total')])
          .groupBy('experience'),
    },
    {
      of: countedOfPeople.answers,
      rows: (db: Kysely<Tables>) =>
        shown(db)
          .select((eb) => [sql<string>`'person'`.as('kind'), 'person_id as n', eb.fn.countAll<number>().as('total')])
          .groupBy('person_id'),
    },
    {
      of: shownAnswers,
      rows: (db: Kysely<Tables>) => shown(db).select([sql<string>`'answer'`.as('kind'), 'id as n', sql<number>`1`.as('total')]),
    },
  ],
  kept: [
    {
      ...ofAnswers,
      kind: 'experience',
      key: 'experience',
      of: listedPosts,
      column: 'parent_listed',
      name: 'marks of answers to listed posts',
    },
    { ...ofAnswers, of: countedVotes, column: 'vote_count', name: 'votes of answers' },
    { ...ofAnswers, of: countedComments, column: 'comment_count', name: 'comments on answers' },
  ],
})
