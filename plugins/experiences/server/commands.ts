import { defineCommands } from '@stoa/sdk/commands'
import { countedBookmarks } from '../../bookmarks/shared/api.ts'
import { countedFollowers } from '../../follows/shared/api.ts'
import { countedVotes } from '../../votes/shared/api.ts'
import { countedAnswers } from '../shared/api.ts'

const ofPosts = { kind: 'experience', table: 'experiences__post', key: 'id' }

export default defineCommands({
  kept: [
    { ...ofPosts, of: countedVotes, column: 'vote_count', name: 'votes of posts' },
    // In the lists, which are ordered by it.
    { ...ofPosts, of: countedVotes, table: 'experiences__group', key: 'post_id', column: 'vote_count', name: 'votes in lists of posts' },
    { ...ofPosts, of: countedAnswers, column: 'answer_count', name: 'answers to posts' },
    { ...ofPosts, of: countedBookmarks, column: 'collection_count', name: 'bookmarks of posts' },
    { ...ofPosts, of: countedFollowers, column: 'follow_count', name: 'followers of posts' },
  ],
})
