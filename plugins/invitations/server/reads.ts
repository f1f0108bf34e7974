import { decoratingTogether, defineReads, reading } from '@stoa/sdk/server'
import { experienceDetail } from '../../experiences/shared/api.ts'
import { findInvited, invitedPeople, readInvited } from './read-invited.ts'

export default defineReads({
  functions: [reading(invitedPeople, readInvited)],
  decorators: [decoratingTogether(experienceDetail, findInvited)],
})
