import type { ReplyOf } from '@stoa/sdk'
import { ButtonLink } from '@stoa/sdk/ui/button'
import type { PageRequest } from '@stoa/sdk/web'
import { accountCalls, outsideCalls } from '../../shared/api.ts'
import type { EntryPlace } from '../../shared/slots.ts'
import { LoginIcon } from './login-icon.tsx'
import type { OutsideLogins } from './outside-buttons.tsx'
import { useAccountsText } from './use-accounts-text.ts'

export type CentreReply = ReplyOf<typeof accountCalls.userCentre>
export interface Entrances {
  logins: OutsideLogins
  centre: CentreReply['agent_info']
}

/** What stands on the pages of login and registration: buttons of other sites are in the document. */
export async function loadEntrances({ get }: PageRequest): Promise<Entrances> {
  const [logins, { agent_info }] = await Promise.all([get(outsideCalls.offered), get(accountCalls.userCentre)])
  return { logins: agent_info ? [] : logins, centre: agent_info }
}

/** The user centre stands in place of logins at other sites. A link, which needs no scripts. */
export function CentreButton({ centre, intent, next }: { centre: Entrances['centre']; next?: string | undefined } & EntryPlace) {
  const t = useAccountsText()
  if (!centre) return null
  const to = intent === 'login' ? centre.login_redirect_url : centre.sign_up_redirect_url
  return (
    <ButtonLink to={next === undefined ? to : `${to}?next=${encodeURIComponent(next)}`} rel="external" variant="primary" wide>
      <LoginIcon address={centre.icon} />
      {t(intent === 'login' ? 'centre.title' : 'centre.sign_up', { name: centre.display_name })}
    </ButtonLink>
  )
}
