import { slots } from '@stoa/sdk'

/** Places in the pages of people. */
export const accountSlots = {
  /** Below the form of login and of registration. */
  afterForm: slots('accounts.afterForm', { was: ['login.after-form'] }),
  /** Below a profile. `id`: of the person; `tab`: the one that is shown. */
  profileTabs: slots<{ username: string; id: string; tab: string }>('accounts.profileTabs', { was: ['profile.tabs'] }),
}
