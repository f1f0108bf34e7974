import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

const editable = ['display_name', 'username', 'avatar', 'bio', 'website', 'location'] as const

/** What members may change of themselves, and the picture of whoever has none. */
export default function PeopleSettingsPage() {
  const api = useApi()
  const t = useText('site')
  const switches = editable.map(
    (part): SettingField => ({ name: `allow_update_${part}`, type: 'switch', title: t(`people.allow_update_${part}`) }),
  )
  return (
    <SettingsPage
      title={t('people.title')}
      text={t('people.purpose')}
      page="/admin/settings-users"
      load={useCallback(() => api.send(settingsCalls.users.get), [api])}
      save={(body) => api.send(settingsCalls.users.save, { body, passingError: true })}
      fields={({ default_avatar }) => [
        {
          name: 'default_avatar',
          type: 'choice',
          title: t('people.default_avatar'),
          options: [
            { value: 'system', label: t('people.system'), help: t('people.system_help') },
            { value: 'gravatar', label: t('people.gravatar'), help: t('people.gravatar_help') },
          ],
        },
        {
          name: 'gravatar_base_url',
          type: 'input',
          title: t('people.gravatar_base_url'),
          description: t('people.gravatar_base_url_help'),
          ui_options: { input_type: 'url' },
          shownWhen: default_avatar === 'gravatar',
        },
        { name: 'profile', type: 'legend', title: t('people.profile'), description: t('people.profile_help') },
        ...switches,
      ]}
    />
  )
}
