import { useText } from '@stoa/sdk/web'

/** Texts of this plugin. */
export const useAccountsText = () => useText('accounts')
