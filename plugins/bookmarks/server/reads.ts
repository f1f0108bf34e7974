import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { searchMarks } from '../../search/shared/api.ts'
import { bookmarkedObjects, collected } from '../shared/api.ts'
import { bookmarksOfCaller, fillCollected, fillMarks, objectsOf, ownPage } from './read-bookmarks.ts'

export default defineReads({
  functions: [reading(bookmarksOfCaller, ownPage), reading(bookmarkedObjects, objectsOf)],
  decorators: [decorating(collected, fillCollected), decorating(searchMarks, fillMarks)],
})
