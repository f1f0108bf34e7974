import { useKernel, useNavigate, usePlace } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** Ends the session and goes home, whether the server could be told or not. */
export default function LogoutPage() {
  const kernel = useKernel()
  const t = useAccountsText()
  const home = usePlace('home') ?? '/'
  const navigate = useNavigate()
  // Once, when the page is shown.
  useEffect(() => {
    void kernel.api
      .send(accountCalls.logout, { passingError: true, ignoreServerError: true })
      .catch(() => undefined)
      .then(() => {
        kernel.logout()
        navigate(home, { replace: true })
      })
  }, [])
  return <AuthFrame title={t('logout.title')} lead={t('logout.waiting')} />
}
