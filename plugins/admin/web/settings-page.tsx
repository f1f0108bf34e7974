import type { ReplyOf } from '@stoa/sdk'
import { pluginCalls } from '@stoa/sdk/administration'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import type { FormValue } from '@stoa/sdk/ui/form'
import { PageTitle } from '@stoa/sdk/ui/page'
import { SettingsPage as Page } from '@stoa/sdk/ui/settings-page'
import type { ApiError, PageProps, PageRequest } from '@stoa/sdk/web'
import { useApi, useConfirm, useText } from '@stoa/sdk/web'
import { useCallback, useRef } from 'react'
import { problemOf, TestSettings } from './test-settings.tsx'

type Form = ReplyOf<typeof pluginCalls.config>

/** Those whose values have been used: page data is kept per history entry and is old after going back. */
const shown = new WeakSet<Form>()

/** Null: the plugin has no settings. */
export async function load(request: PageRequest): Promise<Form | null> {
  try {
    return await request.get(pluginCalls.config, { query: { plugin_slug_name: request.params.slug_name ?? '' } })
  } catch (error) {
    if ((error as ApiError).reason === 'error.plugin.no_settings') return null
    throw error
  }
}

/** The settings form of one plugin; another plugin's begins anew. */
export default function SettingsPage({ data: form, params: { slug_name: slug = '' } }: PageProps<Form | null>) {
  const t = useText('admin')
  if (form) return <PluginSettings key={slug} slug={slug} form={form} />
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
}

function PluginSettings({ slug, form }: { slug: string; form: Form }) {
  const api = useApi()
  const t = useText('admin')
  const confirm = useConfirm()
  const latest = useRef(form)
  const load = useCallback(async (): Promise<FormValue> => {
    const { current } = latest
    const query = { plugin_slug_name: slug }
    const { config_fields } = shown.has(current) ? await api.send(pluginCalls.config, { query, passingError: true }) : current
    shown.add(current)
    return Object.fromEntries(config_fields.map((field) => [field.name, field.value]))
  }, [api, slug])

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
