import type { PersonalData } from '../../accounts/shared/api.ts'
import type { Outgoing } from './outgoing.ts'
import type { Refused } from './refused.ts'
import type { Undelivered } from './undelivered.ts'

interface Parts {
  outgoing: Outgoing
  undelivered: Undelivered
  refused: Refused
}

/** What mail servers said of somebody's address, and mails to them that none has taken. */
export function createPersonalData({ outgoing, undelivered, refused }: Parts): PersonalData {
  return {
    async export(personId, archive) {
      const row = await refused.known(personId)
      if (row) {
        const { address, reason, refusals, last_at } = row
        await archive.records('refused-mail', [{ address, reason, refusals, last_at }])
      }
      const mails = await undelivered.to(personId)
      if (mails.length > 0)
        await archive.records(
          'undelivered-mail',
          mails.map(({ to_address, subject, reason, tries, first_at, last_at }) => ({
            to_address,
            subject,
            reason,
            tries,
            first_at,
            last_at,
          })),
        )
    },
    async erase({ personId }) {
      await outgoing.drop(personId)
      await undelivered.forgetPerson(personId)
      await refused.forget({ personId })
    },
  }
}
