import type { PersonState, Principal } from '@stoa/sdk/server'
import { accountHooks } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { activatePerson } from './activate-person.ts'

/**
 * An admin's decision about somebody. Suspended people keep their sessions, so that their pages can tell them;
 * deleted people lose them, and their address is free again.
 */
export async function changeState(tools: AccountTools, principal: Principal, state: PersonState, removeContent: boolean): Promise<void> {
  const { ctx, profiles, files } = tools
  const { id } = principal
  await ctx.db.write(async (tx) => {
    const { avatar_custom } = await profiles.ensure(principal)
    if (avatar_custom) await files.current?.hold({ kind: 'person', n: id, authorId: id }, avatar_custom, state !== 'deleted')
    if (state === 'normal') {
      await activatePerson(tools, principal, principal.login)
      return
    }
    const login = state === 'deleted' ? `${principal.login}.${ctx.now()}` : principal.login
    if (login !== principal.login) await ctx.host.credentials.setLogin(id, login)
    await ctx.host.credentials.setState(id, state)
    await profiles.follow({ ...principal, login, state })
    if (state === 'suspended') await tx.updateTable('accounts__profile').set({ suspended_at: ctx.now() }).where('id', '=', id).execute()
    if (state === 'deleted') {
      await tx.updateTable('accounts__profile').set({ deleted_at: ctx.now() }).where('id', '=', id).execute()
      await tx.deleteFrom('accounts__mail_code').where('person_id', '=', id).execute()
      if (removeContent) await ctx.run(accountHooks.removeContent, id)
    }
  })
}
