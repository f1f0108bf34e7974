import { Notice } from '@stoa/sdk/ui/notice'
import { Link, usePlace } from '@stoa/sdk/web'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** After somebody has deleted their account: until when, and how to keep it. */
export default function LeavingPage() {
  const t = useAccountsText()
  const login = usePlace('login')
  return (
    <AuthFrame title={t('leaving.title')}>
      <Notice tone="success" live>
        {t('leaving.text')}
      </Notice>
      {login !== undefined && (
        <p>
          <Link to={login}>{t('login.title')}</Link>
        </p>
      )}
    </AuthFrame>
  )
}
