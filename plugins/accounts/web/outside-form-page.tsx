import { CallForm } from '@stoa/sdk/ui/call-form'
import { Notice } from '@stoa/sdk/ui/notice'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Link, useApi, usePlace, useSearchParams } from '@stoa/sdk/web'
import { outsideCalls } from '../shared/api.ts'
import { AuthFrame, formClass } from './parts/auth-frame.tsx'
import { FormField } from './parts/form-field.tsx'
import type { OutsideLogins } from './parts/outside-buttons.tsx'
import { Submit } from './parts/submit.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'
import { useForm } from './parts/use-form.ts'

export const load = ({ get }: PageRequest) => get(outsideCalls.offered)

/** Name and password for a directory. Somebody who connects a login is here too, and is logged in. */
export default function OutsideFormPage({ data }: PageProps<OutsideLogins>) {
  const t = useAccountsText()
  const [query] = useSearchParams()
  const login = usePlace('login') ?? '/'
  const state = query.get('state') ?? ''
  const method = query.get('method') ?? ''
  const name = data.find(({ link }) => link.endsWith(`/${encodeURIComponent(method)}`))?.name
  const isOffered = name !== undefined && state !== ''
  return (
    <AuthFrame
      title={isOffered ? t('outside.form_heading', { name }) : t('outside.form_title')}
      lead={isOffered && t('outside.form_lead')}
      footer={
        <p>
          <Link to={login}>{t('outside.again')}</Link>
        </p>
      }
    >
      {isOffered ? <Proof state={state} /> : <Notice tone="danger">{t('outside.refused.expired')}</Notice>}
    </AuthFrame>
  )
}

function Proof({ state }: { state: string }) {
  const api = useApi()
  const t = useAccountsText()
  const form = useForm({
    call: outsideCalls.prove,
    initial: { name: '', password: '' },
    send: async (values) => {
      const { path } = await api.send(outsideCalls.prove, { body: { state, ...values }, passingError: true })
      // A whole page: whoever was logged in may be so no more.
      location.assign(path)
    },
  })
  return (
    <CallForm call={outsideCalls.prove} members={{ state }} className={formClass} onSubmit={form.submit} noValidate>
      <FormField form={form} name="name" label={t('outside.form_name')} autoComplete="username" required />
      <FormField form={form} name="password" label={t('field.password')} type="password" autoComplete="current-password" required />
      <Submit label={t('login.submit')} busy={form.busy} failure={form.failure} wide />
    </CallForm>
  )
}
