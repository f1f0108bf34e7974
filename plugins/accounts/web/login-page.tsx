import { Notice } from '@stoa/sdk/ui/notice'
import { Link, Slot, useKernel, usePlace, useSite } from '@stoa/sdk/web'
import { accountCalls, accountSlots } from '../shared/api.ts'
import { AuthFrame, formClass, smallClass } from './parts/auth-frame.tsx'
import { FormField } from './parts/form-field.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

export default function LoginPage() {
  const kernel = useKernel()
  const t = useAccountsText()
  const site = useSite()
  const register = usePlace('register')
  const recovery = usePlace('recovery')
  const form = useForm({
    initial: { e_mail: '', pass: '' },
    send: async (values) => {
      const { access_token } = await kernel.api.send(accountCalls.login, { body: values, passingError: true })
      await kernel.login(access_token)
    },
  })
  const mayRegister = register !== undefined && site.login?.allow_new_registrations !== false
  const byPassword = site.login?.allow_password_login !== false
  return (
    <AuthFrame
      title={t('login.heading', { site: site.general?.name ?? '' })}
      footer={
        mayRegister && (
          <p>
            {t('login.no_account')} <Link to={register}>{t('login.register')}</Link>
          </p>
        )
      }
    >
      {byPassword ? (
        <form className={formClass} onSubmit={form.submit} noValidate>
          <FormField form={form} name="e_mail" label={t('field.email')} type="email" autoComplete="username" required />
          <FormField form={form} name="pass" label={t('field.password')} type="password" autoComplete="current-password" required />
          <Submit label={t('login.submit')} busy={form.busy} failure={form.failure} wide />
          {recovery !== undefined && (
            <p className={smallClass}>
              <Link to={recovery}>{t('login.forgot')}</Link>
            </p>
          )}
        </form>
      ) : (
        <Notice>{t('login.no_password')}</Notice>
      )}
      <Slot of={accountSlots.afterForm} />
    </AuthFrame>
  )
}
