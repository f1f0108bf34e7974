import type { ReplyOf } from '@stoa/sdk'
import type { FormValue } from '@stoa/sdk/ui/form'
import { SchemaForm } from '@stoa/sdk/ui/form'
import type { Head, PageProps, PageRequest } from '@stoa/sdk/web'
import { useApi, useLogin, usePageLeave, useToast } from '@stoa/sdk/web'
import { memberSettingsCalls, rememberMemberSettings } from '@stoa/sdk/web/member-settings'
import { Submit } from '../parts/submit.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import { formClass, SettingsFrame } from './settings-frame.tsx'

type Form = ReplyOf<typeof memberSettingsCalls.form>

export async function load(request: PageRequest): Promise<Form> {
  const query = { plugin_slug_name: request.params.slug ?? '' }
  return request.get(memberSettingsCalls.form, { query }).catch(() => request.notFound())
}

export const head = ({ name }: Form): Head => ({ title: name, noindex: true })

/** What one plugin lets each member choose. */
export default function PluginSettingsPage({ data }: PageProps<Form>) {
  return (
    <SettingsFrame>
      <PluginForm key={data.slug_name} about={data} />
    </SettingsFrame>
  )
}

function PluginForm({ about: { slug_name, config_fields } }: { about: Form }) {
  const api = useApi()
  const { person } = useLogin()
  const t = useAccountsText()
  const toast = useToast()
  const form = useForm<FormValue>({
    initial: Object.fromEntries(config_fields.map((field) => [field.name, field.value])),
    send: async (values) => {
      await api.send(memberSettingsCalls.save, { body: { plugin_slug_name: slug_name, config_fields: values }, passingError: true })
      if (person) rememberMemberSettings(person.id, slug_name, values)
      toast({ text: t('settings.saved'), tone: 'success' })
    },
  })
  usePageLeave(form.changed)
  const change = (next: FormValue) => {
    for (const [name, value] of Object.entries(next)) if (value !== form.values[name]) form.set(name, value)
  }
  return (
    <form method="post" className={formClass} onSubmit={form.submit} noValidate>
      <SchemaForm fields={config_fields} value={form.values} errors={form.errors as Record<string, string>} onChange={change} />
      <Submit label={t('settings.save')} busy={form.busy} failure={form.failure} />
    </form>
  )
}
