import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

/** What the address of a post looks like in each form. */
const examples = [
  '/experiences/10010000000000042/cats-at-night',
  '/experiences/10010000000000042',
  '/experiences/D1K2/cats-at-night',
  '/experiences/D1K2',
]

/** Addresses of posts, and what search engines are asked to leave out. */
export default function SeoPage() {
  const api = useApi()
  const t = useText('site')
  return (
    <SettingsPage
      title={t('seo.title')}
      text={t('seo.purpose')}
      page="/admin/seo"
      load={useCallback(() => api.send(settingsCalls.seo.get), [api])}
      save={({ permalink, robots }) =>
        api.send(settingsCalls.seo.save, { body: { permalink: permalink as 1 | 2 | 3 | 4, robots }, passingError: true })
      }
      fields={() => [
        {
          name: 'permalink',
          type: 'choice',
          title: t('seo.permalink'),
          description: t('seo.permalink_help'),
          options: examples.map((example, index) => ({ value: index + 1, label: t(`seo.form_${index + 1}`), help: example })),
        },
        { name: 'robots', type: 'textarea', title: t('seo.robots'), description: t('seo.robots_help'), ui_options: { rows: '12' } },
      ]}
    />
  )
}
