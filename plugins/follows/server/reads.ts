import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { followed, followedNumbers } from '../shared/api.ts'
import { fillIsFollowed, numbersOf } from './read-follows.ts'

export default defineReads({
  functions: [reading(followedNumbers, numbersOf)],
  decorators: [decorating(followed, fillIsFollowed)],
})
