import { tap, webHooks } from '@stoa/sdk/web'
import { twoFactorCalls } from '../shared/api.ts'

const SECTION = '/users/settings/account#two-factor'

/** Staff of whom the owner demands it come to the section where they set it up, whatever page they open. */
export default tap(webHooks.sessionOpened, async ({ login }, { api }) => {
  if (!login.isStaff || !login.isActivated || /^\/users\/(settings|logout)(\/|$)/.test(location.pathname)) return
  const { is_on, is_demanded } = await api.send(twoFactorCalls.state)
  if (is_demanded && !is_on) location.assign(SECTION)
})
