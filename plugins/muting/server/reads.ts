import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { commentList } from '../../comments/shared/api.ts'
import { mutedAmong } from '../shared/api.ts'
import { foldComments, ownMutes, readAmong, readOwn } from './read-mutes.ts'

export default defineReads({
  functions: [reading(ownMutes, readOwn), reading(mutedAmong, readAmong)],
  decorators: [decorating(commentList, foldComments)],
})
