import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { countedOfPeople } from '../../accounts/shared/api.ts'
import { countedBookmarks } from '../../bookmarks/shared/api.ts'
import { shownPosts } from '../../comments/shared/api.ts'
import { countedFollowers } from '../../follows/shared/api.ts'
import { countedVotes } from '../../votes/shared/api.ts'
import { countedAnswers, listedPosts } from '../shared/api.ts'
import type { Tables } from './store/tables.ts'

const ofPosts = { kind: 'experience', table: 'experiences__post', key: 'id' }

const listed = (db: Kysely<Tables>) => db.selectFrom('experiences__post').where('tier', '>=', 1)

export default defineCommands({
  counted: [
    {
      of: countedOfPeople.experiences,
      rows: (db: Kysely<Tables>) =>
        listed(db)
          .select((eb) => [sql<string>`'person'`.as('kind'), 'author_id as n', eb.fn.countAll<number>().as('total')])
          .groupBy('author_id'),
    },
    ...[listedPosts, shownPosts].map((of) => ({
      of,
      rows: (db: Kysely<Tables>) => listed(db).select([sql<string>`'experience'`.as('kind'), 'id as n', sql<number>`1`.as('total')]),
    })),
  ],
  kept: [
    { ...ofPosts, of: countedVotes, column: 'vote_count', name: 'votes of posts' },
    // In the lists, which are ordered by it.
    { ...ofPosts, of: countedVotes, table: 'experiences__group', key: 'post_id', column: 'vote_count', name: 'votes in lists of posts' },
    { ...ofPosts, of: countedAnswers, column: 'answer_count', name: 'answers to posts' },
    { ...ofPosts, of: countedBookmarks, column: 'collection_count', name: 'bookmarks of posts' },
    { ...ofPosts, of: countedFollowers, column: 'follow_count', name: 'followers of posts' },
  ],
})
