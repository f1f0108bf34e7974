import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import type { PageProps } from '@stoa/sdk/web'
import { Link, Slot, useApi, usePlace, useSearchParams, useSession, useSite } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { accountCalls, accountSlots } from '../shared/api.ts'
import { AuthFrame, formClass, smallClass } from './parts/auth-frame.tsx'
import type { Entrances } from './parts/centre-button.tsx'
import { CentreButton, loadEntrances } from './parts/centre-button.tsx'
import { FormField } from './parts/form-field.tsx'
import { NewPasswordField } from './parts/new-password-field.tsx'
import { OutsideButtons } from './parts/outside-buttons.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

export const load = loadEntrances

export default function RegisterPage({ data: { logins, centre } }: PageProps<Entrances>) {
  const api = useApi()
  const session = useSession()
  const t = useAccountsText()
  const site = useSite()
  const login = usePlace('login')
  const form = useForm({
    call: accountCalls.register,
    initial: { name: '', e_mail: '', pass: '' },
    send: async (values) => {
      const { access_token } = await api.send(accountCalls.register, { body: values, passingError: true })
      await session.login(access_token)
    },
  })
  const [query] = useSearchParams()
  const isCentreOnly = centre?.enabled_original_user_system === false
  const away = isCentreOnly ? centre.sign_up_redirect_url : ''
  useEffect(() => {
    if (away !== '') location.replace(away)
  }, [away])
  if (query.has('sent')) {
    return (
      <AuthFrame title={t('register.sent_title')}>
        <Notice tone="success" live>
          {t('register.sent')}
        </Notice>
      </AuthFrame>
    )
  }
  const byEmail = site.login?.allow_email_registrations !== false && !isCentreOnly
  return (
    <AuthFrame
      title={t('register.heading', { site: site.general?.name ?? '' })}
      footer={
        login !== undefined && (
          <p>
            {t('register.have_account')} <Link to={login}>{t('register.login')}</Link>
          </p>
        )
      }
    >
      <Slot of={accountSlots.beforeForm} props={{ intent: 'register' }} />
      <CentreButton centre={centre} intent="register" />
      <OutsideButtons logins={logins} first />
      {byEmail ? (
        <CallForm call={accountCalls.register} className={formClass} onSubmit={form.submit} noValidate>
          <FormField
            form={form}
            name="name"
            label={t('field.name')}
            help={t('field.name_help')}
            autoComplete="nickname"
            maxLength={30}
            required
          />
          <FormField
            form={form}
            name="e_mail"
            label={t('field.email')}
            help={t('field.email_help')}
            type="email"
            autoComplete="email"
            required
          />
          <NewPasswordField form={form} label={t('field.password')} own={[form.values.name, form.values.e_mail]} />
          <Submit label={t('register.submit')} busy={form.busy} failure={form.failure} wide />
          <p className={smallClass}>
            {t('register.agree')} <Link to="/tos">{t('register.tos')}</Link> · <Link to="/privacy">{t('register.privacy')}</Link>
          </p>
        </CallForm>
      ) : (
        <Notice>{isCentreOnly ? t('centre.only', { name: centre.display_name }) : t('register.no_email')}</Notice>
      )}
      <OutsideButtons logins={logins} />
      <Slot of={accountSlots.afterForm} props={{ intent: 'register' }} />
    </AuthFrame>
  )
}
