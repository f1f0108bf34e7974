import { Notice } from '@stoa/sdk/ui/notice'
import type { SettingControl } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi } from '@stoa/sdk/web'
import { useCallback, useState } from 'react'
import { accountCalls, outsideCalls } from '../../shared/api.ts'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import type { OrderedLogin } from './login-order.tsx'
import { LoginOrder } from './login-order.tsx'

interface Values {
  /** Methods, without the one that stands first. */
  order: string[]
  first: string
}

/** In which order logins at other sites stand, and which one before everything else. */
export default function LoginOrderPage() {
  const api = useApi()
  const t = useAccountsText()
  const [logins, setLogins] = useState<readonly OrderedLogin[]>([])
  const [centre, setCentre] = useState('')
  const load = useCallback(async (): Promise<Values> => {
    const [loaded, { agent_info }] = await Promise.all([api.send(outsideCalls.order), api.send(accountCalls.userCentre)])
    setLogins(loaded.logins)
    setCentre(agent_info?.display_name ?? '')
    return { order: loaded.logins.map(({ slug }) => slug), first: loaded.first }
  }, [api])
  const nameOf = (slug: string) => logins.find((login) => login.slug === slug)?.name ?? slug
  return (
    <SettingsPage
      title={t('order.title')}
      text={t('order.purpose')}
      page="/admin/login-buttons"
      before={centre !== '' && <Notice>{t('order.centre', { name: centre })}</Notice>}
      load={load}
      save={(body) => api.send(outsideCalls.saveOrder, { body, passingError: true })}
      fields={({ first }) => [
        {
          name: 'order',
          type: 'own',
          title: t('order.order'),
          render: ({ value, disabled, onChange }: SettingControl) => (
            <LoginOrder logins={logins} order={value as string[]} first={first} disabled={disabled} onChange={onChange} />
          ),
          say: (value) => (value as string[]).map(nameOf).join(', '),
        },
        {
          name: 'first',
          type: 'select',
          title: t('order.first'),
          description: t('order.first_help'),
          options: [{ value: '', label: t('order.first_none') }, ...logins.map(({ slug, name }) => ({ value: slug, label: name }))],
          shownWhen: logins.length > 0,
        },
      ]}
    />
  )
}
