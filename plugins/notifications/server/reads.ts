import { defineReads, reading } from '@stoa/sdk/server'
import { objectsOf, readObjects } from './read-objects.ts'

export default defineReads({
  functions: [reading(objectsOf, readObjects)],
})
