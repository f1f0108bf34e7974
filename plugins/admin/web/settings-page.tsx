import type { ReplyOf } from '@stoa/sdk'
import { pluginCalls } from '@stoa/sdk/administration'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import type { FormValue } from '@stoa/sdk/ui/form'
import { PageTitle } from '@stoa/sdk/ui/page'
import { SettingsPage as Page } from '@stoa/sdk/ui/settings-page'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError, PageProps } from '@stoa/sdk/web'
import { useApi, useConfirm, useText } from '@stoa/sdk/web'
import { useCallback, useEffect, useRef, useState } from 'react'
import { problemOf, TestSettings } from './test-settings.tsx'

type Form = ReplyOf<typeof pluginCalls.config>

/** The settings form of one plugin; another plugin's begins anew. */
export default function SettingsPage({ params: { slug_name: slug = '' } }: PageProps) {
  return <PluginSettings key={slug} slug={slug} />
}

function PluginSettings({ slug }: { slug: string }) {
  const api = useApi()
  const t = useText('admin')
  const confirm = useConfirm()
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

  async function save(config_fields: FormValue): Promise<void> {
    const body = { plugin_slug_name: slug, config_fields }
    try {
      await api.send(pluginCalls.saveConfig, { body, passingError: true })
    } catch (error) {
      const refusal = error as ApiError
      if (refusal.reason !== 'error.plugin.does_not_work') throw refusal
      const text = t('settings.insist_text', { problem: problemOf(refusal) })
      const asked = { title: t('settings.insist_title'), text, confirm: t('settings.insist') }
      if (!(await confirm({ ...asked, tone: 'danger' }))) throw refusal
      await api.send(pluginCalls.saveConfig, { body: { ...body, insist: true }, passingError: true })
    }
  }

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
      save={save}
      fields={() => form.config_fields}
    >
      {(values) => form.has_test && <TestSettings slug={slug} values={values} />}
    </Page>
  )
}
