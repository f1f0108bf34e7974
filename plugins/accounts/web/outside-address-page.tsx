import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import { useApi, useNavigate, useSearchParams, useSession } from '@stoa/sdk/web'
import { useState } from 'react'
import { outsideCalls } from '../shared/api.ts'
import { AuthFrame, formClass } from './parts/auth-frame.tsx'
import { FormField } from './parts/form-field.tsx'
import { stepPath } from './parts/next-path.ts'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

/** After a login at another site that has proven no address: it is asked for, and proven by a mailed link to this page. */
export default function OutsideAddressPage() {
  const t = useAccountsText()
  const [query] = useSearchParams()
  const [sentTo, setSentTo] = useState('')
  const code = query.get('code')
  const key = query.get('binding_key')
  if (sentTo || query.has('sent')) {
    return (
      <AuthFrame title={t('outside.sent_title')}>
        <Notice tone="success" live>
          {t('outside.sent')}
        </Notice>
      </AuthFrame>
    )
  }
  if (code) return <ProveAddress code={code} />
  if (key) return <NameAddress bindingKey={key} done={setSentTo} />
  return (
    <AuthFrame title={t('outside.address_title')}>
      <Notice tone="warning">{t('outside.refused.expired')}</Notice>
    </AuthFrame>
  )
}

function NameAddress({ bindingKey, done }: { bindingKey: string; done(email: string): void }) {
  const api = useApi()
  const t = useAccountsText()
  const form = useForm({
    call: outsideCalls.nameAddress,
    initial: { email: '' },
    send: async ({ email }) => {
      await api.send(outsideCalls.nameAddress, { body: { binding_key: bindingKey, email }, passingError: true })
      done(email)
    },
  })
  return (
    <AuthFrame title={t('outside.address_title')} lead={t('outside.address_lead')}>
      <CallForm
        call={outsideCalls.nameAddress}
        members={{ binding_key: bindingKey }}
        className={formClass}
        onSubmit={form.submit}
        noValidate
      >
        <FormField form={form} name="email" label={t('field.email')} type="email" autoComplete="email" required />
        <Submit label={t('outside.send')} busy={form.busy} failure={form.failure} wide />
      </CallForm>
    </AuthFrame>
  )
}

/** A button, since programs that look into mails open their links too. */
function ProveAddress({ code }: { code: string }) {
  const api = useApi()
  const t = useAccountsText()
  const { login } = useSession()
  const navigate = useNavigate()
  const form = useForm<{ code: string; second_step: string }>({
    call: outsideCalls.confirmAddress,
    initial: { code, second_step: '' },
    send: async () => {
      try {
        const { access_token } = await api.send(outsideCalls.confirmAddress, { body: { code }, passingError: true })
        await login(access_token)
      } catch (error) {
        if ((error as { reason?: string }).reason === 'error.accounts.second_step') return navigate(stepPath(undefined))
        throw error
      }
    },
  })
  return (
    <AuthFrame title={t('outside.prove_title')} lead={t('outside.prove_lead')}>
      <CallForm call={outsideCalls.confirmAddress} members={{ code }} className={formClass} onSubmit={form.submit} noValidate>
        <Submit label={t('outside.prove')} busy={form.busy} failure={form.failure || form.errors.code || ''} wide />
      </CallForm>
    </AuthFrame>
  )
}
