import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { timelineLines } from '../../history/shared/api.ts'
import { noticeObjects } from '../../notifications/shared/api.ts'
import { commented, firstComments } from '../shared/api.ts'
import { fillCommented, fillFirstComments } from './read-commented.ts'
import { commentsOf, commentsOfPerson, placeOf, writtenView } from './read-comments.ts'
import { fillLines } from './read-history.ts'
import { fillNoticeObjects } from './read-notices.ts'
import { commentsPage, personComments, placeOfComment, writtenComment } from './read-tokens.ts'

export default defineReads({
  functions: [
    reading(commentsPage, commentsOf),
    reading(writtenComment, writtenView),
    reading(personComments, commentsOfPerson),
    reading(placeOfComment, placeOf),
  ],
  decorators: [
    decorating(commented, fillCommented),
    decorating(firstComments, fillFirstComments),
    decorating(timelineLines, fillLines),
    decorating(noticeObjects, fillNoticeObjects),
  ],
})
