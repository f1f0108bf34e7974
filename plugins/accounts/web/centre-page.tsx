import { ButtonLink } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, usePlace } from '@stoa/sdk/web'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import type { CentreReply } from './parts/centre-button.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

export const load = ({ get }: PageRequest) => get(accountCalls.userCentre)

/** Where clients send people who are to log in by the user centre. */
export default function CentrePage({ data: { agent_info: centre } }: PageProps<CentreReply>) {
  const t = useAccountsText()
  const login = usePlace('login') ?? '/'
  if (!centre)
    return (
      <AuthFrame title={t('login.title')} footer={<Link to={login}>{t('outside.again')}</Link>}>
        <Notice>{t('centre.none')}</Notice>
      </AuthFrame>
    )
  const name = { name: centre.display_name }
  return (
    <AuthFrame title={t('centre.title', name)} lead={t('centre.lead', name)}>
      <ButtonLink to={centre.login_redirect_url} rel="external" variant="primary" wide>
        {t('outside.continue')}
      </ButtonLink>
    </AuthFrame>
  )
}
