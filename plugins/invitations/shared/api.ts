import { call, defineErrors, event } from '@stoa/sdk'
import type { PersonCard } from '../../accounts/shared/api.ts'
import type * as schemas from './schemas.ts'

export const invitationCalls = {
  invited: call.get<typeof schemas.invited>('experience/invite'),
  invite: call.put<typeof schemas.invite>('experience/invite'),
}

export const invitationEvents = {
  /** Somebody was asked to answer a post (its running number), for the first time: who is invited again is not told again. */
  invited: event<{ experience: number; personId: number; byId: number }>('invitations.invited'),
}

/** The name of this in a post's `extends_actions`, for whoever may invite. */
export const inviteAction = 'invite_other_to_answer'

export const invitationErrors = {
  ...defineErrors('error.experience', { not_found: { status: 400, message: 'No experience {id}' } }),
  ...defineErrors('error.invitations', {
    closed: { status: 400, message: 'Experience {id} takes no answers', display: 'toast' },
  }),
}

/** Who is invited, as posts carry it; nobody while the plugin is off. @param beside of a post */
export const invitedIn = (beside: Record<string, unknown> | undefined): PersonCard[] => (beside?.invitations ?? []) as PersonCard[]
