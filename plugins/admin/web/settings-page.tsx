import type { ReplyOf } from '@stoa/sdk'
import { pluginCalls } from '@stoa/sdk/administration'
import { ButtonLink } from '@stoa/sdk/ui/button'
import { EmptyState } from '@stoa/sdk/ui/empty'
import type { FormValue } from '@stoa/sdk/ui/form'
import { SchemaForm } from '@stoa/sdk/ui/form'
import { PageTitle } from '@stoa/sdk/ui/page'
import { SaveBar } from '@stoa/sdk/ui/save-bar'
import { Skeleton } from '@stoa/sdk/ui/skeleton'
import type { ApiError, PageProps } from '@stoa/sdk/web'
import { useApi, usePageLeave, useText, useToast } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'

type Form = ReplyOf<typeof pluginCalls.config>

const valuesOf = (form: Form): FormValue => Object.fromEntries(form.config_fields.map((field) => [field.name, field.value]))

/** The settings form of one plugin. */
export default function SettingsPage({ params }: PageProps) {
  const slug = params.slug_name ?? ''
  const api = useApi()
  const t = useText('admin')
  const toast = useToast()
  const [form, setForm] = useState<Form | 'none' | null>(null)
  const [values, setValues] = useState<FormValue>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const saved = form && form !== 'none' ? valuesOf(form) : {}
  const changed = Object.keys(values).filter((name) => JSON.stringify(values[name]) !== JSON.stringify(saved[name]))
  usePageLeave(changed.length > 0)

  const load = useCallback(async () => {
    try {
      const loaded = await api.send(pluginCalls.config, { query: { plugin_slug_name: slug }, passingError: true })
      setForm(loaded)
      setValues(valuesOf(loaded))
    } catch {
      setForm('none')
    }
  }, [api, slug])
  useEffect(() => void load(), [load])

  function change(next: FormValue): void {
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => next[name] === values[name])))
    setProblem('')
    setValues(next)
  }

  async function save(): Promise<void> {
    setBusy(true)
    setErrors({})
    setProblem('')
    try {
      await api.send(pluginCalls.saveConfig, { body: { plugin_slug_name: slug, config_fields: values }, passingError: true })
      await load()
      toast({ text: t('settings.saved'), tone: 'success' })
    } catch (error) {
      const { fields, msg } = error as ApiError
      setErrors(fields ?? {})
      if (Object.keys(fields ?? {}).length === 0) setProblem(msg)
    } finally {
      setBusy(false)
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
    <>
      <PageTitle text={t('settings.purpose', { name: form.name })}>{form.name}</PageTitle>
      <SchemaForm fields={form.config_fields} value={values} errors={errors} disabled={busy} onChange={change} />
      <SaveBar changes={changed.length} busy={busy} error={problem} onDiscard={() => change(saved)} onSave={save} />
    </>
  )
}
