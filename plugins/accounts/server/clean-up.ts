import type { Person } from '@stoa/sdk'
import { roles } from '@stoa/sdk/server'
import { accountErrors, accountHooks } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { held } from './held.ts'
import { noteAct } from './staff-acts.ts'

/**
 * Deletes what a spammer wrote and suspends them until somebody lifts it. What is deleted can be restored piece by piece.
 * @throws `error.user.not_found`, `error.accounts.cleanup_staff`
 */
export async function cleanUp(tools: AccountTools, staff: Person, id: string, reason: string): Promise<void> {
  const { ctx, suspensions } = tools
  await ctx.db.write(async () => {
    const principal = /^\d{1,15}$/.test(id) ? await held(ctx, Number(id)) : undefined
    if (!principal) throw accountErrors.not_found({ id })
    if (principal.role !== roles.user || principal.state === 'deleted' || principal.id === staff.id)
      throw accountErrors.cleanup_staff({ id })
    await ctx.run(accountHooks.removeWriting, principal.id)
    await suspensions.begin(principal, 0, reason || ctx.host.texts.text('accounts.spam_reason', {}, ctx.site.language))
    await noteAct(tools, staff.id, 'cleaned_up', principal, { note: reason })
  })
}
