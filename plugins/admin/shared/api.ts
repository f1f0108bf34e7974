import { slots } from '@stoa/sdk'

/** Places in the pages of the admin. */
export const adminSlots = {
  /** Boxes of the overview. */
  dashboard: slots('admin.dashboard'),
}
