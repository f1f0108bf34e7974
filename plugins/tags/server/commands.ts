import { defineCommands } from '@stoa/sdk/commands'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { listedPosts } from '../../experiences/shared/api.ts'
import { countedFollowers } from '../../follows/shared/api.ts'
import type { Tables } from './tables.ts'

/** Posts in public lists, by tag. */
const countedPosts = 'tags.posts'
const ofTags = { kind: 'tag', table: 'tags__tag', key: 'id' }

export default defineCommands({
  counted: [
    {
      of: countedPosts,
      rows: (db: Kysely<Tables>) =>
        db
          .selectFrom('tags__relation')
          .select((eb) => [sql<string>`'tag'`.as('kind'), 'tag_id as n', eb.fn.countAll<number>().as('total')])
          .where('listed', '=', 1)
          .groupBy('tag_id'),
    },
  ],
  kept: [
    {
      of: listedPosts,
      kind: 'experience',
      table: 'tags__relation',
      key: 'experience_id',
      column: 'listed',
      name: 'marks of tags of listed posts',
    },
    { ...ofTags, of: countedPosts, column: 'experience_count', name: 'posts of tags' },
    { ...ofTags, of: countedFollowers, column: 'follow_count', name: 'followers of tags' },
  ],
})
