import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { countedVotes } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export default defineCommands({
  counted: [
    {
      of: countedVotes,
      rows: (db: Kysely<Tables>) =>
        db
          .selectFrom('votes__ballot')
          .select((eb) => ['object_kind as kind', 'object_n as n', eb.fn.sum<number>('direction').as('total')])
          .groupBy(['object_kind', 'object_n']),
    },
  ],
})
