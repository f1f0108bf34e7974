import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback, useState } from 'react'
import { settingsCalls, siteCalls } from '../../shared/api.ts'

/** Language and time zone of whoever has chosen none. */
export default function InterfacePage() {
  const api = useApi()
  const t = useText('site')
  const [languages, setLanguages] = useState<{ label: string; value: string }[]>([])
  const load = useCallback(async () => {
    const [values, offered] = await Promise.all([api.send(settingsCalls.interface.get), api.send(siteCalls.siteLanguages)])
    setLanguages(offered)
    return values
  }, [api])
  return (
    <SettingsPage
      title={t('interface.title')}
      text={t('interface.purpose')}
      page="/admin/interface"
      load={load}
      save={(body) => api.send(settingsCalls.interface.save, { body, passingError: true })}
      fields={() => [
        {
          name: 'language',
          type: 'select',
          title: t('interface.language'),
          description: t('interface.language_help'),
          options: languages,
        },
        { name: 'time_zone', type: 'timezone', title: t('interface.time_zone'), description: t('interface.time_zone_help') },
      ]}
    />
  )
}
