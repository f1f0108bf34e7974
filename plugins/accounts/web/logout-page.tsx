import { Button } from '@stoa/sdk/ui/button'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { useApi, useLogin, useNavigate, usePlace, useSession } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** Ends the session and goes home, whether the server could be told or not. */
export default function LogoutPage() {
  const api = useApi()
  const { logout } = useSession()
  const t = useAccountsText()
  const { known } = useLogin()
  const home = usePlace('home') ?? '/'
  const navigate = useNavigate()
  // Once, when the page is shown.
  useEffect(() => {
    void api
      .send(accountCalls.logout, { passingError: true, ignoreServerError: true })
      .catch(() => undefined)
      .then(() => {
        logout()
        navigate(home, { replace: true })
      })
  }, [])
  return (
    <AuthFrame title={t('logout.title')} lead={known && t('logout.waiting')}>
      <noscript>
        <CallForm call={accountCalls.logout}>
          <Button type="submit" variant="primary">
            {t('logout.title')}
          </Button>
        </CallForm>
      </noscript>
    </AuthFrame>
  )
}
