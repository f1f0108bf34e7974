import { Link, useLogin, usePlace, useSearchParams } from '@stoa/sdk/web'
import { AuthFrame } from './parts/auth-frame.tsx'
import { ResendActivation } from './parts/resend-activation.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

const purposes = ['activate', 'reset', 'change_email'] as const

/** Where every link ends that was used, too old or never right. */
export default function ActivationFailedPage() {
  const t = useAccountsText()
  const { isInactive, isLoggedIn } = useLogin()
  const login = usePlace('login')
  const recovery = usePlace('recovery')
  const [query] = useSearchParams()
  const used = purposes.find((purpose) => purpose === query.get('used'))
  return (
    <AuthFrame title={t(used ? 'link.used_title' : 'link.expired_title')} lead={t(used ? `link.used.${used}` : 'link.expired')}>
      {isInactive && <ResendActivation />}
      {!isLoggedIn && (
        <>
          {login !== undefined && (
            <p>
              <Link to={login}>{t(used ? 'login.submit' : 'link.login_to_resend')}</Link>
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
