import { defineReads, reading } from '@stoa/sdk/server'
import { noticesOfCaller, readNotices, readStatus, statusOfCaller } from './read-notices.ts'
import { objectsOf, readObjects } from './read-objects.ts'

export default defineReads({
  functions: [reading(objectsOf, readObjects), reading(noticesOfCaller, readNotices), reading(statusOfCaller, readStatus)],
})
