import { Notice } from '@stoa/sdk/ui/notice'
import { useState } from 'react'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame } from './parts/auth-frame.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useMailedCode } from './parts/use-mailed-code.ts'

export default function ConfirmEmailPage() {
  const t = useAccountsText()
  const [failure, setFailure] = useState('')
  useMailedCode(accountCalls.confirmEmail, '/users/settings/account', setFailure)
  return (
    <AuthFrame title={t('confirm_email.title')} lead={failure ? undefined : t('confirm_email.waiting')}>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
    </AuthFrame>
  )
}
