import { protocol, roles } from '../shared/index.ts'
import type { MakePerson } from './site.ts'

/**
 * Makes somebody by the calls with which an administrator adds people, so that they have all that members have: they may post at once. A site whose
 * plugins keep no profiles knows them by their login alone.
 */
export const makePerson: MakePerson = async (site, { name, login, password, role, state }) => {
  const admin = await site.admin()
  const added = await admin.post(`${protocol.admin}/users`, { users: `${name}, ${login}, ${password}` })
  if (added.status === 404) return
  if (added.status !== 200) throw new Error(`${name} could not be added: ${added.text}`)
  const { data } = await admin.get<{ list: { user_id: string }[] }>(`${protocol.admin}/users/page`, { query: login })
  const user_id = data.list[0]?.user_id ?? ''
  if (role !== roles.user) await admin.put(`${protocol.admin}/user/role`, { user_id, role_id: role })
  if (state !== 'normal') await admin.put(`${protocol.admin}/user/status`, { user_id, status: state })
}
