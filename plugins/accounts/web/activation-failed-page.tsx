import { Link, useLogin, usePlace } from '@stoa/sdk/web'
import { AuthFrame } from './parts/auth-frame.tsx'
import { ResendActivation } from './parts/resend-activation.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** Where every link ends that was used, too old or never right. */
export default function ActivationFailedPage() {
  const t = useAccountsText()
  const { isInactive, isLoggedIn } = useLogin()
  const login = usePlace('login')
  const recovery = usePlace('recovery')
  return (
    <AuthFrame title={t('link.expired_title')} lead={t('link.expired')}>
      {isInactive && <ResendActivation />}
      {!isLoggedIn && (
        <>
          {login !== undefined && (
            <p>
              <Link to={login}>{t('link.login_to_resend')}</Link>
            </p>
          )}
          {recovery !== undefined && (
            <p>
              <Link to={recovery}>{t('reset.ask_again')}</Link>
            </p>
          )}
        </>
      )}
    </AuthFrame>
  )
}
