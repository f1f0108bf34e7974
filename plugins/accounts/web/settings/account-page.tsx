import { Notice } from '@stoa/sdk/ui/notice'
import { Section } from '@stoa/sdk/ui/page'
import type { CurrentPerson } from '@stoa/sdk/web'
import { useApi, useLogin, useSession, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { FormField } from '../parts/form-field.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'
import { Submit } from '../parts/submit.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import { formClass, SettingsFrame } from './settings-frame.tsx'

export default function AccountSettingsPage() {
  const { person } = useLogin()
  return (
    <SettingsFrame page="account">
      {person && <EmailForm person={person} />}
      {person && <PasswordForm person={person} />}
    </SettingsFrame>
  )
}

function EmailForm({ person }: { person: CurrentPerson }) {
  const api = useApi()
  const t = useAccountsText()
  const [sentTo, setSentTo] = useState('')
  const form = useForm({
    initial: { e_mail: '', pass: '' },
    send: async ({ e_mail, pass }) => {
      await api.send(accountCalls.changeEmail, { body: { e_mail, ...(pass && { pass }) }, passingError: true })
      setSentTo(e_mail)
    },
  })
  return (
    <Section title={t('settings.account.email')} text={t('settings.account.email_now', { email: String(person.e_mail ?? '') })}>
      {sentTo ? (
        <Notice tone="success" live>
          {t('settings.account.email_sent', { email: sentTo })}
        </Notice>
      ) : (
        <form method="post" className={formClass} onSubmit={form.submit} noValidate>
          <FormField
            form={form}
            name="e_mail"
            label={t('field.new_email')}
            help={t('settings.account.email_help')}
            type="email"
            autoComplete="email"
            required
          />
          {person.have_password === true && (
            <FormField
              form={form}
              name="pass"
              label={t('field.present_password')}
              type="password"
              autoComplete="current-password"
              required
            />
          )}
          <Submit label={t('settings.account.email_submit')} busy={form.busy} failure={form.failure} />
        </form>
      )}
    </Section>
  )
}

function PasswordForm({ person }: { person: CurrentPerson }) {
  const api = useApi()
  const { refreshPerson } = useSession()
  const t = useAccountsText()
  const toast = useToast()
  const empty = { old_pass: '', pass: '', again: '' }
  const form = useForm({
    initial: empty,
    check: ({ pass, again }) => (pass === again ? {} : { again: t('field.password_differs') }),
    send: async ({ old_pass, pass }) => {
      await api.send(accountCalls.changePassword, { body: { ...(old_pass && { old_pass }), pass }, passingError: true })
      for (const name of ['old_pass', 'pass', 'again'] as const) form.set(name, '')
      await refreshPerson(true)
      toast({ text: t('settings.account.password_done'), tone: 'success' })
    },
  })
  return (
    <Section title={t('settings.account.password')}>
      <form method="post" className={formClass} onSubmit={form.submit} noValidate>
        {person.have_password === true && (
          <FormField
            form={form}
            name="old_pass"
            label={t('field.present_password')}
            type="password"
            autoComplete="current-password"
            required
          />
        )}
        <NewPasswordField form={form} label={t('field.new_password')} own={[String(person.e_mail ?? ''), person.username]} />
        <FormField form={form} name="again" label={t('field.password_again')} type="password" autoComplete="new-password" required />
        <Submit label={t('settings.account.password_submit')} busy={form.busy} failure={form.failure} />
      </form>
    </Section>
  )
}
