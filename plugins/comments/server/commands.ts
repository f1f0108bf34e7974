import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { countedVotes } from '../../votes/shared/api.ts'
import { countedComments } from '../shared/api.ts'
import type { Tables } from './tables.ts'
import { commentStatus } from './tables.ts'

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
  kept: [{ of: countedVotes, kind: 'comment', table: 'comments__comment', key: 'id', column: 'vote_count', name: 'votes of comments' }],
})
