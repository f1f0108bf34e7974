import { call, event } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** Member of an address's query that says whose link it is. Source: behaviour reference, section 9 (badges). */
export const SHARE = 'share'

export const shareCalls = {
  /** A post was opened by somebody's link. What names nobody, or a post that is not there, is nothing; nobody is told. */
  opened: call.post<typeof schemas.opened>('share/opened'),
}

export const shareEvents = {
  /**
   * A post (its running number) was opened by the link of somebody else: once for each member who did, once a day for all who are not logged in
   * (`visitorId` 0).
   */
  opened: event<{ experience: number; sharerId: number; visitorId: number }>('share.opened'),
}
