import { Button } from '@stoa/sdk/ui/button'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import { useLogin, useSearchParams } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useMailedCode } from './parts/use-mailed-code.ts'

export default function ActivationPage() {
  const t = useAccountsText()
  const { known } = useLogin()
  const [query] = useSearchParams()
  const [failure, setFailure] = useState('')
  useMailedCode(accountCalls.activate, '/users/account-activation/success', setFailure)
  return (
    <AuthFrame title={t('activation.title')} lead={known && !failure && t('activation.waiting')}>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      <noscript>
        <CallForm call={accountCalls.activate} members={{ code: query.get('code') ?? '' }}>
          <Button type="submit" variant="primary">
            {t('activation.submit')}
          </Button>
        </CallForm>
      </noscript>
    </AuthFrame>
  )
}
