import { Button } from '@stoa/sdk/ui/button'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import { Link, usePlace, useSearchParams } from '@stoa/sdk/web'
import { useState } from 'react'
import { outsideCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import { nextOf } from './parts/next-path.ts'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useHandedCode } from './parts/use-mailed-code.ts'

/** Where a login at another site ends: the session is fetched by the code in the address, which goes from there. */
export default function AuthLandingPage() {
  const t = useAccountsText()
  const login = usePlace('login') ?? '/'
  const [query] = useSearchParams()
  const [failure, setFailure] = useState('')
  const code = query.get('access_token') ?? ''
  useHandedCode(code, nextOf(query), setFailure)
  return (
    <AuthFrame
      title={t('outside.landing_title')}
      lead={!failure && code !== '' && t('outside.landing_lead')}
      footer={
        (failure || code === '') && (
          <p>
            <Link to={login}>{t('outside.again')}</Link>
          </p>
        )
      }
    >
      {(failure || code === '') && (
        <Notice tone="danger" live>
          {failure || t('outside.refused.expired')}
        </Notice>
      )}
      <noscript>
        <CallForm call={outsideCalls.handOver} members={{ code }}>
          <Button type="submit" variant="primary">
            {t('outside.continue')}
          </Button>
        </CallForm>
      </noscript>
    </AuthFrame>
  )
}
