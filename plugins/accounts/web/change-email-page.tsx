import { useApi, useNavigate, usePlace, useToast } from '@stoa/sdk/web'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame, formClass } from './parts/auth-frame.tsx'
import { FormField } from './parts/form-field.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

/** For somebody who mistyped the address when registering. */
export default function ChangeEmailPage() {
  const api = useApi()
  const t = useAccountsText()
  const toast = useToast()
  const navigate = useNavigate()
  const inactive = usePlace('inactive') ?? '/'
  const form = useForm({
    initial: { e_mail: '' },
    send: async (values) => {
      await api.send(accountCalls.changeEmail, { body: values, passingError: true })
      toast({ text: t('inactive.sent', { email: values.e_mail }), tone: 'success' })
      navigate(inactive, { replace: true })
    },
  })
  return (
    <AuthFrame title={t('change_email.title')} lead={t('change_email.lead')}>
      <form method="post" className={formClass} onSubmit={form.submit} noValidate>
        <FormField form={form} name="e_mail" label={t('field.new_email')} type="email" autoComplete="email" required />
        <Submit label={t('change_email.submit')} busy={form.busy} failure={form.failure} wide />
      </form>
    </AuthFrame>
  )
}
