import type { Principal } from '@stoa/sdk/server'
import type { AuditChange } from '../../audit/shared/api.ts'
import type { AccountTools } from './account-tools.ts'

/** Puts down what staff did to somebody, in the current transaction, where the site keeps such a log. */
export async function noteAct(
  { log, profiles }: Pick<AccountTools, 'log' | 'profiles'>,
  actorId: number,
  action: string,
  principal: Principal,
  more: { note?: string; changes?: readonly AuditChange[] } = {},
): Promise<void> {
  if (!log.current) return
  const { display_name } = await profiles.ensure(principal)
  const object = { kind: 'person', id: String(principal.id), label: display_name, path: `/admin/users/${principal.id}` }
  await log.current.record({ actorId, action: `accounts.${action}`, object, ...more })
}

/** Until when somebody is suspended, as the log says it: a day of the site's clock, whoever reads it. */
export const untilChange = (until: number): AuditChange => ({
  field: 'accounts.audit.until',
  from: null,
  to: until > 0 ? `${new Date(until * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : { text: 'accounts.audit.no_end' },
})
