import { defineReads, reading } from '@stoa/sdk/server'
import { commentsOf, commentsOfPerson, writtenView } from './read-comments.ts'
import { commentsPage, personComments, writtenComment } from './read-tokens.ts'

export default defineReads({
  functions: [reading(commentsPage, commentsOf), reading(writtenComment, writtenView), reading(personComments, commentsOfPerson)],
})
