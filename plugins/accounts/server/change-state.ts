import type { PersonState, Principal } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'
import { activatePerson } from './activate-person.ts'

/**
 * An admin's decision about somebody. Suspended people keep their sessions, so that their pages can tell them;
 * deleted people lose them, and everything that the site knows of them.
 */
export async function changeState(tools: AccountTools, principal: Principal, state: PersonState, removeContent: boolean): Promise<void> {
  const { ctx, profiles, files, erasures } = tools
  const { id } = principal
  await ctx.db.write(async (tx) => {
    if (state === 'deleted') return erasures.begin(principal, removeContent)
    const { avatar_custom } = await profiles.ensure(principal)
    if (avatar_custom) await files.current?.hold({ kind: 'person', n: id, authorId: id }, avatar_custom, true)
    if (state === 'normal') {
      await activatePerson(tools, principal, principal.login)
      return
    }
    await ctx.host.credentials.setState(id, state)
    await profiles.follow({ ...principal, state })
    if (state === 'suspended') await tx.updateTable('accounts__profile').set({ suspended_at: ctx.now() }).where('id', '=', id).execute()
  })
}
