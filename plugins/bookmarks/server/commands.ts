import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { countedBookmarks } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export default defineCommands({
  counted: [
    {
      of: countedBookmarks,
      rows: (db: Kysely<Tables>) =>
        db
          .selectFrom('bookmarks__bookmark')
          .select((eb) => ['object_kind as kind', 'object_n as n', eb.fn.countAll<number>().as('total')])
          .groupBy(['object_kind', 'object_n']),
    },
  ],
})
