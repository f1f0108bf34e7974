import type { PersonState, Principal } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'
import { activatePerson } from './activate-person.ts'

/** How somebody is suspended: until when (0: no end), and why. */
export interface Sentence {
  until: number
  reason?: string | undefined
}

/**
 * An admin's decision about somebody. Suspended people keep their sessions, so that their pages can tell them;
 * deleted people lose them, and everything that the site knows of them.
 */
export async function changeState(
  tools: AccountTools,
  principal: Principal,
  state: PersonState,
  removeContent: boolean,
  sentence: Sentence,
): Promise<void> {
  const { ctx, profiles, files, erasures, suspensions } = tools
  const { id } = principal
  await ctx.db.write(async () => {
    if (state === 'deleted') return erasures.begin(principal, removeContent)
    const { avatar_custom } = await profiles.ensure(principal)
    if (avatar_custom) await files.current?.hold({ kind: 'person', n: id, authorId: id }, avatar_custom, true)
    if (state === 'suspended') return suspensions.begin(principal, sentence.until, sentence.reason)
    if (principal.state === 'suspended') await suspensions.end(principal)
    if (state === 'normal') {
      await activatePerson(tools, { ...principal, state: principal.state === 'suspended' ? 'normal' : principal.state }, principal.login)
      return
    }
    await ctx.host.credentials.setState(id, state)
    await profiles.follow({ ...principal, state })
  })
}
