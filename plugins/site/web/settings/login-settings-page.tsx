import { Notice } from '@stoa/sdk/ui/notice'
import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

/** Who may come in, and how. */
export default function LoginSettingsPage() {
  const api = useApi()
  const t = useText('site')
  const onOff = (name: string): SettingField => ({ name, type: 'switch', title: t(`login.${name}`), description: t(`login.${name}_help`) })
  const load = useCallback(async () => {
    const { allow_email_domains, ...values } = await api.send(settingsCalls.login.get)
    return { ...values, allow_email_domains: allow_email_domains ?? [] }
  }, [api])
  return (
    <SettingsPage
      title={t('login.title')}
      text={t('login.purpose')}
      page="/admin/login"
      load={load}
      save={(body) => api.send(settingsCalls.login.save, { body, passingError: true })}
      fields={({ allow_new_registrations }) => [
        { name: 'membership', type: 'legend', title: t('login.membership') },
        onOff('allow_new_registrations'),
        { ...onOff('allow_email_registrations'), shownWhen: allow_new_registrations },
        {
          name: 'allow_email_domains',
          type: 'words',
          title: t('login.allow_email_domains'),
          description: t('login.allow_email_domains_help'),
          shownWhen: allow_new_registrations,
        },
        { name: 'ways', type: 'legend', title: t('login.ways') },
        onOff('allow_password_login'),
        { name: 'reading', type: 'legend', title: t('login.reading') },
        onOff('login_required'),
      ]}
    >
      {({ allow_password_login }) => !allow_password_login && <Notice tone="warning">{t('login.no_password_warning')}</Notice>}
    </SettingsPage>
  )
}
