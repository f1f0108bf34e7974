import { decorating, decoratingTogether, defineReads, filtering, reading } from '@stoa/sdk/server'
import { experienceDetail, experienceFilter, experienceList } from '../../experiences/shared/api.ts'
import { historyObjects, presentTexts, revisionContents } from '../../history/shared/api.ts'
import { noticeObjects } from '../../notifications/shared/api.ts'
import { searchCompletion, searchDocuments, searchFound, searchNames } from '../../search/shared/api.ts'
import { tagBySlug, tagsOf } from '../shared/api.ts'
import { fillDocuments, fillFound, fillNames } from './fill-search.ts'
import { fillContents, fillNoticeObjects, fillObjects, fillPresent } from './read-history.ts'
import { findTags, mainTag, narrowPosts, tagsOfPosts } from './read-relations.ts'
import { completeTags, followedTags, suggestTags, synonymsOf, tagInfo, tagsByName, tagsPage } from './read-tags.ts'
import { reads } from './read-tokens.ts'

export default defineReads({
  functions: [
    reading(reads.page, tagsPage),
    reading(reads.byName, tagsByName),
    reading(reads.following, followedTags),
    reading(reads.info, tagInfo),
    reading(reads.synonyms, synonymsOf),
    reading(reads.suggest, suggestTags),
    reading(tagsOf, tagsOfPosts),
    reading(tagBySlug, mainTag),
  ],
  decorators: [
    decoratingTogether(experienceList, findTags),
    decoratingTogether(experienceDetail, findTags),
    decorating(searchDocuments, fillDocuments),
    decorating(searchFound, fillFound),
    decorating(searchNames, fillNames),
    decorating(searchCompletion, completeTags),
    decorating(historyObjects, fillObjects),
    decorating(presentTexts, fillPresent),
    decorating(revisionContents, fillContents),
    decorating(noticeObjects, fillNoticeObjects),
  ],
  filters: [filtering(experienceFilter, narrowPosts)],
})
