import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import { Link, useApi, useNavigate, usePlace, useSearchParams, useToast } from '@stoa/sdk/web'
import { accountCalls } from '../shared/api.ts'
import { AuthFrame, formClass } from './parts/auth-frame.tsx'
import { FormField } from './parts/form-field.tsx'
import { NewPasswordField } from './parts/new-password-field.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'
import { usedFor } from './parts/use-mailed-code.ts'

export default function PasswordResetPage() {
  const api = useApi()
  const t = useAccountsText()
  const toast = useToast()
  const navigate = useNavigate()
  const login = usePlace('login') ?? '/'
  const recovery = usePlace('recovery') ?? '/'
  const failed = usePlace('activationFailed') ?? '/'
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const form = useForm({
    call: accountCalls.replacePassword,
    initial: { pass: '', again: '' },
    check: ({ pass, again }) => (pass === again ? {} : { again: t('field.password_differs') }),
    send: async ({ pass }) => {
      try {
        await api.send(accountCalls.replacePassword, { body: { code, pass }, passingError: true })
      } catch (error) {
        const used = usedFor(error)
        if (used) navigate(`${failed}?used=${used}`, { replace: true })
        throw error
      }
      toast({ text: t('reset.done'), tone: 'success' })
      navigate(login, { replace: true })
    },
  })
  return (
    <AuthFrame title={t('reset.title')} lead={code && t('reset.lead')}>
      {query.has('done') ? (
        <Notice tone="success" live>
          {t('reset.done')} <Link to={login}>{t('login.submit')}</Link>
        </Notice>
      ) : code ? (
        <CallForm call={accountCalls.replacePassword} members={{ code }} className={formClass} onSubmit={form.submit} noValidate>
          <NewPasswordField form={form} label={t('field.new_password')} />
          <FormField form={form} name="again" label={t('field.password_again')} type="password" autoComplete="new-password" required />
          <Submit label={t('reset.submit')} busy={form.busy} failure={form.failure} wide />
        </CallForm>
      ) : (
        <>
          <Notice tone="danger" live>
            {t('link.invalid')}
          </Notice>
          <p>
            <Link to={recovery}>{t('reset.ask_again')}</Link>
          </p>
        </>
      )}
    </AuthFrame>
  )
}
