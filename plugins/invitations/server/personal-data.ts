import type { ServerContext } from '@stoa/sdk/server'
import type { PersonalData } from '../../accounts/shared/api.ts'
import { forgetPerson } from './invite.ts'
import type { Tables } from './tables.ts'

/** Invitations of a person and by them; none stays, since each is about two people. */
export function personalInvitations(ctx: ServerContext<Tables>): PersonalData {
  return {
    async export(personId, archive) {
      const rows = await ctx.db.query
        .selectFrom('invitations__invitation')
        .select(['experience', 'person_id', 'created_at', 'withdrawn'])
        .where((eb) => eb.or([eb('person_id', '=', personId), eb('by_id', '=', personId)]))
        .orderBy('id')
        .execute()
      await archive.records(
        'invitations',
        rows.map(({ experience, person_id, ...row }) => ({
          experience_id: ctx.ids.encode('experience', experience),
          direction: person_id === personId ? 'received' : 'sent',
          ...row,
        })),
      )
    },
    erase: ({ personId }) => forgetPerson({ ctx }, personId),
  }
}
