import { Notice } from '@stoa/sdk/ui/notice'
import { useState } from 'react'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useMailedCode } from './parts/use-mailed-code.ts'

export default function ActivationPage() {
  const t = useAccountsText()
  const [failure, setFailure] = useState('')
  useMailedCode(accountCalls.activate, '/users/account-activation/success', setFailure)
  return (
    <AuthFrame title={t('activation.title')} lead={failure ? undefined : t('activation.waiting')}>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
    </AuthFrame>
  )
}
