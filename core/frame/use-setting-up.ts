import { useKernel } from '@stoa/sdk/kernel/web'
import { useLocation } from '@stoa/sdk/web'

/** Nothing leads into a site that is being set up. */
export function useSettingUp(): boolean {
  const { pathname } = useLocation()
  return pathname === useKernel().usePlace('install')
}
