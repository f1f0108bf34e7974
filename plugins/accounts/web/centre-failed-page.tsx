import { Link, usePlace } from '@stoa/sdk/web'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** The user centre gives no address to log in at. */
export default function CentreFailedPage() {
  const t = useAccountsText()
  const login = usePlace('login') ?? '/'
  return <AuthFrame title={t('centre.failed_title')} lead={t('centre.failed')} footer={<Link to={login}>{t('outside.again')}</Link>} />
}
