import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

/** Name, address and descriptions of the site. */
export default function GeneralPage() {
  const api = useApi()
  const t = useText('site')
  const fields: SettingField[] = [
    { name: 'name', type: 'input', title: t('general.name'), description: t('general.name_help'), required: true },
    {
      name: 'site_url',
      type: 'input',
      title: t('general.site_url'),
      description: t('general.site_url_help'),
      required: true,
      ui_options: { input_type: 'url' },
    },
    { name: 'short_description', type: 'input', title: t('general.short_description'), description: t('general.short_description_help') },
    {
      name: 'description',
      type: 'textarea',
      title: t('general.description'),
      description: t('general.description_help'),
      ui_options: { rows: '4' },
    },
    {
      name: 'contact_email',
      type: 'input',
      title: t('general.contact_email'),
      description: t('general.contact_email_help'),
      ui_options: { input_type: 'email' },
    },
    { name: 'check_update', type: 'switch', title: t('general.check_update'), description: t('general.check_update_help') },
  ]
  return (
    <SettingsPage
      title={t('general.title')}
      text={t('general.purpose')}
      page="/admin/general"
      load={useCallback(() => api.send(settingsCalls.general.get), [api])}
      save={(body) => api.send(settingsCalls.general.save, { body, passingError: true })}
      fields={() => fields}
    />
  )
}
