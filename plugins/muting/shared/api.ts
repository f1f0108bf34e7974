import { call, defineErrors, read } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** Of these people, those whom the person who asks has muted; nobody for visitors. */
export const mutedAmong = read<{ ids: readonly number[] }, number[]>('muting.among')

/** How many people somebody may mute. */
export const mostMuted = 500

export const mutingCalls = {
  /** Whom the caller has muted, the last first. */
  own: call.get<typeof schemas.own>('personal/mute/page'),
  /** Whether the caller has muted somebody. */
  state: call.get<typeof schemas.state>('user/mute'),
  set: call.put<typeof schemas.set>('user/mute'),
}

export const mutingErrors = defineErrors('error.muting', {
  not_found: { status: 404, message: 'Nobody is called {username}' },
  yourself: { status: 400, message: 'Nobody can mute themselves', display: 'toast' },
  staff: { status: 400, message: '{username} is staff, who cannot be muted', display: 'toast' },
  too_many: { status: 400, message: 'No more than {most} people can be muted', display: 'toast' },
})
