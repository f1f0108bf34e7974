import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

/** Unix seconds → what a field for date and time holds, in the zone of the browser; empty for 0. */
function asTyped(seconds: number): string {
  if (seconds === 0) return ''
  const date = new Date(seconds * 1000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const asSeconds = (typed: string): number => (typed === '' ? 0 : Math.floor(new Date(typed).getTime() / 1000) || 0)

/** Whom the site serves while something is being done to it. */
export default function MaintenancePage() {
  const api = useApi()
  const t = useText('site')
  return (
    <SettingsPage
      title={t('maintenance.title')}
      text={t('maintenance.purpose')}
      page="/admin/maintenance"
      load={useCallback(() => api.send(settingsCalls.maintenance.get), [api])}
      save={(body) => api.send(settingsCalls.maintenance.save, { body, passingError: true })}
      fields={({ degree }) => [
        {
          name: 'degree',
          type: 'choice',
          title: t('maintenance.degree'),
          options: ['open', 'reading', 'nobody'].map((value) => ({
            value,
            label: t(`maintenance.${value}`),
            help: t(`maintenance.${value}_help`),
          })),
        },
        {
          name: 'message',
          type: 'textarea',
          title: t('maintenance.message'),
          description: t('maintenance.message_help'),
          ui_options: { rows: '3' },
          shownWhen: degree !== 'open',
        },
        {
          name: 'until',
          type: 'own',
          title: t('maintenance.until'),
          shownWhen: degree !== 'open',
          say: (value) => asTyped(Number(value)).replace('T', ' '),
          render: ({ value, error, disabled, onChange }) => (
            <TextField
              type="datetime-local"
              label={t('maintenance.until')}
              help={t('maintenance.until_help')}
              error={error}
              disabled={disabled}
              value={asTyped(Number(value))}
              onChange={(typed) => onChange(asSeconds(typed))}
            />
          ),
        },
      ]}
    >
      {({ degree }) => degree === 'nobody' && <Notice tone="warning">{t('maintenance.nobody_warning')}</Notice>}
    </SettingsPage>
  )
}
