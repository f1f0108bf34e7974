import { defineReads, reading } from '@stoa/sdk/server'
import { commentsOf, commentsOfPerson, viewsOf } from './read-comments.ts'
import { commentsByNumber, commentsPage, personComments } from './read-tokens.ts'

export default defineReads({
  functions: [reading(commentsPage, commentsOf), reading(commentsByNumber, viewsOf), reading(personComments, commentsOfPerson)],
})
