export { openBrowser } from './other-site.ts'

import type { Site } from '@stoa/sdk/testing'

/** Lets everybody do everything that reputation can allow: the lowest privilege level. */
export async function lowerThresholds(site: Site): Promise<void> {
  const admin = await site.admin()
  await admin.put('/answer/admin/api/setting/privileges', { level: 1 })
}
