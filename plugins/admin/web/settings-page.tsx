import type { ReplyOf } from '@stoa/sdk'
import { pluginCalls } from '@stoa/sdk/administration'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import type { FormValue } from '@stoa/sdk/ui/form'
import { PageTitle } from '@stoa/sdk/ui/page'
import { SettingsPage as Page } from '@stoa/sdk/ui/settings-page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { PageProps } from '@stoa/sdk/web'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback, useEffect, useRef, useState } from 'react'

type Form = ReplyOf<typeof pluginCalls.config>

/** The settings form of one plugin; another plugin's begins anew. */
export default function SettingsPage({ params: { slug_name: slug = '' } }: PageProps) {
  return <PluginSettings key={slug} slug={slug} />
}

function PluginSettings({ slug }: { slug: string }) {
  const api = useApi()
  const t = useText('admin')
  const [form, setForm] = useState<Form | 'none'>()
  const ask = useCallback(() => api.send(pluginCalls.config, { query: { plugin_slug_name: slug }, passingError: true }), [api, slug])
  /** The reply that drew the page; the form begins with it instead of asking again. */
  const first = useRef<Form>(undefined)
  const load = useCallback(async (): Promise<FormValue> => {
    const loaded = first.current ?? (await ask())
    first.current = undefined
    setForm(loaded)
    return Object.fromEntries(loaded.config_fields.map((field) => [field.name, field.value]))
  }, [ask])
  useEffect(() => {
    ask().then(
      (loaded) => {
        first.current = loaded
        setForm(loaded)
      },
      () => setForm('none'),
    )
  }, [ask])

  if (!form) return <Skeleton lines={8} />
  if (form === 'none')
    return (
      <>
        <PageTitle>{t('settings.title')}</PageTitle>
        <EmptyState
          icon="settings"
          title={t('settings.none')}
          action={<ButtonLink to="/admin/installed-plugins">{t('settings.back')}</ButtonLink>}
        />
      </>
    )
  return (
    <Page
      title={form.name}
      text={t('settings.purpose', { name: form.name })}
      page={`/admin/${slug}`}
      load={load}
      save={(config_fields) => api.send(pluginCalls.saveConfig, { body: { plugin_slug_name: slug, config_fields }, passingError: true })}
      fields={() => form.config_fields}
    />
  )
}
