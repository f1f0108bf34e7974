import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import { Link, useApi, usePlace, useSearchParams } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame, formClass } from './parts/auth-frame.tsx'
import { FormField } from './parts/form-field.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

export default function RecoveryPage() {
  const api = useApi()
  const t = useAccountsText()
  const login = usePlace('login')
  const [sentTo, setSentTo] = useState('')
  const [query] = useSearchParams()
  const form = useForm({
    call: accountCalls.resetPassword,
    initial: { e_mail: '' },
    send: async (values) => {
      await api.send(accountCalls.resetPassword, { body: values, passingError: true })
      setSentTo(values.e_mail)
    },
  })
  return (
    <AuthFrame
      title={t('recovery.heading')}
      lead={t('recovery.lead')}
      footer={
        login !== undefined && (
          <p>
            <Link to={login}>{t('recovery.back')}</Link>
          </p>
        )
      }
    >
      {sentTo || query.has('sent') ? (
        <Notice tone="success" live>
          {sentTo ? t('recovery.sent', { email: sentTo }) : t('recovery.sent_there')}
        </Notice>
      ) : (
        <CallForm call={accountCalls.resetPassword} className={formClass} onSubmit={form.submit} noValidate>
          <FormField form={form} name="e_mail" label={t('field.email')} type="email" autoComplete="username" required />
          <Submit label={t('recovery.submit')} busy={form.busy} failure={form.failure} wide />
        </CallForm>
      )}
    </AuthFrame>
  )
}
