import { slot } from '@stoa/sdk'

/** An award that its person has not been shown yet. */
export interface AwardPlace {
  badgeId: string
  /** In the reader's language. */
  name: string
  icon: string
  level: number
  /** Marks it as read: from then on it is not shown any more. */
  onRead(): Promise<void>
}

/** Places that notifications draws. */
export const noticeSlots = {
  /** Once for each award that is new to the reader, over the page: a dialog of whoever gives awards. */
  award: slot<AwardPlace>('notifications.award'),
}
