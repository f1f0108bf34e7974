import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { experienceDetail } from '../../experiences/shared/api.ts'
import { fillInvited, invitedPeople, readInvited } from './read-invited.ts'

export default defineReads({
  functions: [reading(invitedPeople, readInvited)],
  decorators: [decorating(experienceDetail, fillInvited)],
})
