import { Time } from '@stoa/sdk/ui/time'
import { useLogin, useNavigate, usePlace, useSite } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** For suspended people, and for visitors whose login was just refused for that; everybody else is sent home. */
export default function SuspendedPage() {
  const t = useAccountsText()
  const { isLoggedIn, isForbidden, person } = useLogin()
  const site = useSite()
  const home = usePlace('home') ?? '/'
  const navigate = useNavigate()
  const isWrongHere = isLoggedIn && !isForbidden
  useEffect(() => {
    if (isWrongHere) navigate(home, { replace: true })
  }, [isWrongHere, home, navigate])
  const contact = (site.general as { contact_email?: string } | undefined)?.contact_email
  const until = Number(person?.suspended_until ?? 0)
  const reason = String(person?.suspension_reason ?? '')
  const end = until > 0 && <Time at={until} style="datetime" phrase={(date) => t('suspended.until', { date })} />
  return (
    <AuthFrame
      title={t('suspended.title')}
      lead={isForbidden ? end || t('suspended.forever') : t('suspended.lead')}
      footer={
        contact && (
          <p>
            {t('suspended.contact')} <a href={`mailto:${contact}`}>{contact}</a>
          </p>
        )
      }
    >
      {reason && (
        <p dir="auto">
          <strong>{t('suspended.reason')}</strong>
          <br />
          {reason}
        </p>
      )}
    </AuthFrame>
  )
}
