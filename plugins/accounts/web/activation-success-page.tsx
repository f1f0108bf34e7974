import { ButtonLink } from '@stoa/sdk/ui/button'
import { usePlace, useSite } from '@stoa/sdk/web'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

export default function ActivationSuccessPage() {
  const t = useAccountsText()
  const site = useSite()
  const home = usePlace('home') ?? '/'
  return (
    <AuthFrame title={t('activation.success')} lead={t('activation.success_lead', { site: site.general?.name ?? '' })}>
      <p>
        <ButtonLink to={home} variant="primary">
          {t('activation.home')}
        </ButtonLink>
      </p>
    </AuthFrame>
  )
}
