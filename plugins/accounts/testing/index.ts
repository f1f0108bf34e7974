import { roles } from '@stoa/sdk'
import type { MakePerson, PersonWish, Site } from '@stoa/sdk/testing'

/** Makes people with a profile and the first point of reputation, through the admin's own calls. */
export const makePerson: MakePerson = async (site, wish) => {
  const admin = await site.admin()
  const added = await admin.post('/answer/admin/api/users', { users: `${wish.name}, ${wish.login}, ${wish.password}` })
  if (added.status !== 200) throw new Error(`${wish.name} could not be added: ${added.text}`)
  const user_id = await idOf(site, wish)
  if (wish.role !== roles.user) await admin.put('/answer/admin/api/user/role', { user_id, role_id: wish.role })
  if (wish.state !== 'normal') await admin.put('/answer/admin/api/user/status', { user_id, status: wish.state })
}

async function idOf(site: Site, { login }: PersonWish): Promise<string> {
  const admin = await site.admin()
  const page = await admin.get<{ list: { user_id: string }[] }>('/answer/admin/api/users/page', { query: login })
  return page.data.list[0]?.user_id ?? ''
}

/** Lets everybody do everything that reputation can allow: the lowest privilege level. */
export async function lowerThresholds(site: Site): Promise<void> {
  const admin = await site.admin()
  await admin.put('/answer/admin/api/setting/privileges', { level: 1 })
}
