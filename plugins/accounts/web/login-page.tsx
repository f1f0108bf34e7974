import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import type { PageProps } from '@stoa/sdk/web'
import { Link, Slot, useApi, useNavigate, usePlace, useSearchParams, useSession, useSite } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { accountCalls, accountSlots } from '../shared/api.ts'
import { AuthFrame, formClass, smallClass } from './parts/auth-frame.tsx'
import type { Entrances } from './parts/centre-button.tsx'
import { CentreButton, loadEntrances } from './parts/centre-button.tsx'
import { FormField } from './parts/form-field.tsx'
import { nextOf, stepPath } from './parts/next-path.ts'
import { OutsideButtons, refusalIn } from './parts/outside-buttons.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

export const load = loadEntrances

export default function LoginPage({ data: { logins, centre } }: PageProps<Entrances>) {
  const api = useApi()
  const { login } = useSession()
  const t = useAccountsText()
  const site = useSite()
  const register = usePlace('register')
  const recovery = usePlace('recovery')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const next = nextOf(query)
  const refused = refusalIn(query)
  const form = useForm({
    call: accountCalls.login,
    initial: { e_mail: '', pass: '' },
    send: async (values) => {
      const { access_token } = await api.send(accountCalls.login, { body: values, passingError: true })
      await login(access_token)
      if (next !== undefined) navigate(next, { replace: true })
    },
  })
  const step = 'second_step' in form.errors ? stepPath(next) : undefined
  useEffect(() => {
    if (step !== undefined) navigate(step)
  }, [step, navigate])
  const mayRegister = register !== undefined && site.login?.allow_new_registrations !== false
  const isCentreOnly = centre?.enabled_original_user_system === false
  const byPassword = site.login?.allow_password_login !== false && !isCentreOnly
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
      {refused && (
        <Notice tone={refused === 'denied' || refused === 'elsewhere' ? 'info' : 'warning'}>{t(`outside.refused.${refused}`)}</Notice>
      )}
      <Slot of={accountSlots.beforeForm} props={{ intent: 'login' }} />
      <CentreButton centre={centre} intent="login" next={next} />
      <OutsideButtons logins={logins} next={next} first />
      {byPassword ? (
        <CallForm call={accountCalls.login} to={next} className={formClass} onSubmit={form.submit} noValidate>
          <FormField form={form} name="e_mail" label={t('field.email')} type="email" autoComplete="username" required />
          <FormField form={form} name="pass" label={t('field.password')} type="password" autoComplete="current-password" required />
          {step !== undefined && <Link to={step}>{t('login.second_step')}</Link>}
          <Submit label={t('login.submit')} busy={form.busy} failure={form.failure} wide />
          {recovery !== undefined && (
            <p className={smallClass}>
              <Link to={recovery}>{t('login.forgot')}</Link>
            </p>
          )}
        </CallForm>
      ) : (
        <Notice>{isCentreOnly ? t('centre.only', { name: centre.display_name }) : t('login.no_password')}</Notice>
      )}
      <OutsideButtons logins={logins} next={next} />
      <Slot of={accountSlots.afterForm} props={{ intent: 'login' }} />
    </AuthFrame>
  )
}
