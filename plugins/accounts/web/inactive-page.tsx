import { Link, useLogin } from '@stoa/sdk/web'
import { AuthFrame } from './parts/auth-frame.tsx'
import { ResendActivation } from './parts/resend-activation.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

export default function InactivePage() {
  const t = useAccountsText()
  const { person } = useLogin()
  return (
    <AuthFrame
      title={t('inactive.heading')}
      lead={t('inactive.lead', { email: String(person?.e_mail ?? '') })}
      footer={
        <>
          <p>
            {t('inactive.wrong_address')} <Link to="/users/change-email">{t('inactive.change')}</Link>
          </p>
          <p>
            <Link to="/users/logout">{t('menu.logout')}</Link>
          </p>
        </>
      }
    >
      <ResendActivation />
    </AuthFrame>
  )
}
