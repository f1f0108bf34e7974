import { decorating, decoratingTogether, defineReads, filtering, reading } from '@stoa/sdk/server'
import { rewardedObjects, shownRewards } from '../../accounts/shared/api.ts'
import { ownComments } from '../../comments/shared/api.ts'
import { experienceDetail, experienceFilter, personalTop } from '../../experiences/shared/api.ts'
import { historyObjects, presentTexts, revisionContents, timelineLines } from '../../history/shared/api.ts'
import { noticeObjects } from '../../notifications/shared/api.ts'
import { searchResults } from '../../search/shared/api.ts'
import { ownVotes, shownVotes } from '../../votes/shared/api.ts'
import { acceptedAnswers, answerCards, answerInfo, answersPage } from '../shared/api.ts'
import { fillOwnComments, fillOwnVotes, fillRewarded, rewardedAnswers, shownAnswers } from './fill-personal-rows.ts'
import { adminPage } from './read-admin.ts'
import { acceptedAfter, answersOf, cardsOf, infoOf, requiredInfo, writtenInfo } from './read-answers.ts'
import { answeredPosts, fillResults, findOwnAnswers } from './read-decorators.ts'
import { fillContents, fillLines, fillObjects, fillPresent, presentOf } from './read-history.ts'
import { fillNoticeObjects } from './read-notices.ts'
import { answersOfPerson, topAnswers } from './read-profile.ts'
import { adminAnswers, infoByText, personAnswers, presentAnswer, writtenAnswer } from './read-tokens.ts'

export default defineReads({
  functions: [
    reading(answersPage, answersOf),
    reading(infoByText, requiredInfo),
    reading(writtenAnswer, writtenInfo),
    reading(answerInfo, infoOf),
    reading(answerCards, cardsOf),
    reading(acceptedAnswers, acceptedAfter),
    reading(personAnswers, answersOfPerson),
    reading(adminAnswers, adminPage),
    reading(presentAnswer, presentOf),
  ],
  decorators: [
    decoratingTogether(experienceDetail, findOwnAnswers),
    decorating(personalTop, topAnswers),
    decorating(searchResults, fillResults),
    decorating(ownVotes, fillOwnVotes),
    decorating(rewardedObjects, fillRewarded),
    decorating(ownComments, fillOwnComments),
    decorating(historyObjects, fillObjects),
    decorating(presentTexts, fillPresent),
    decorating(revisionContents, fillContents),
    decorating(timelineLines, fillLines),
    decorating(noticeObjects, fillNoticeObjects),
  ],
  filters: [filtering(experienceFilter, answeredPosts), filtering(shownVotes, shownAnswers), filtering(shownRewards, rewardedAnswers)],
})
