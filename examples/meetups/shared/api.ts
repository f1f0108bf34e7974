import { postBag } from '@stoa/plugin-experiences/api'
import { call, extension, live } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type * as schemas from './schemas.ts'

export type Meetup = Static<typeof schemas.meetup>

/** Where and when, beside a post. */
export const meetup = extension<Meetup>(postBag, 'meetups')

/** Somebody comes or does not; the topic is the public id of the post. */
export const guestsChanged = live<{ people: number }>('meetups.guestsChanged')

export const meetupCalls = {
  guests: call.get<typeof schemas.guestsOf>('meetups/guests'),
  come: call.post<typeof schemas.come>('meetups/guests'),
}
