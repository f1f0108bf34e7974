import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { countedVotes } from '../../votes/shared/api.ts'
import { countedComments, shownAnswers, shownPosts } from '../shared/api.ts'
import type { Tables } from './tables.ts'
import { commentStatus } from './tables.ts'

const ofComments = { table: 'comments__comment', key: 'id' }
const marks = { table: 'comments__comment', key: 'object_n', column: 'object_shown' }

export default defineCommands({
  counted: [
    {
      of: countedComments,
      rows: (db: Kysely<Tables>) =>
        db
          .selectFrom('comments__comment')
          .select((eb) => ['object_kind as kind', 'object_n as n', eb.fn.countAll<number>().as('total')])
          .where('status', '=', commentStatus.available)
          .groupBy(['object_kind', 'object_n']),
    },
  ],
  kept: [
    { ...ofComments, of: countedVotes, kind: 'comment', column: 'vote_count', name: 'votes of comments' },
    { ...marks, of: shownPosts, kind: 'experience', kindColumn: 'object_kind', name: 'marks of comments on listed posts' },
    { ...marks, of: shownAnswers, kind: 'answer', kindColumn: 'object_kind', name: 'marks of comments on shown answers' },
  ],
})
