import { Select } from '@stoa/sdk/ui/field'
import type { CurrentPerson } from '@stoa/sdk/web'
import { useApi, useLogin, useSession, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { siteCalls } from '../../../site/shared/api.ts'
import { accountCalls } from '../../shared/api.ts'
import { Submit } from '../parts/submit.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import { formClass, SettingsFrame } from './settings-frame.tsx'

type Option = { label: string; value: string }
const schemes = ['default', 'system', 'light', 'dark'] as const
const schemeOf = (text: string) => schemes.find((scheme) => scheme === text) ?? 'default'

const zones = () => Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') }))

export default function InterfaceSettingsPage() {
  const { person } = useLogin()
  return <SettingsFrame page="interface">{person && <InterfaceForm person={person} />}</SettingsFrame>
}

function InterfaceForm({ person }: { person: CurrentPerson }) {
  const api = useApi()
  const { refreshPerson, setLanguage, setScheme } = useSession()
  const t = useAccountsText()
  const toast = useToast()
  const [languages, setLanguages] = useState<Option[]>([{ value: person.language || 'Default', label: person.language || 'Default' }])
  useEffect(() => {
    void api.send(siteCalls.languages).then(setLanguages, () => undefined)
  }, [])
  const form = useForm({
    initial: { language: person.language || 'Default', color_scheme: schemeOf(person.color_scheme), time_zone: person.time_zone ?? '' },
    send: async (values) => {
      await api.send(accountCalls.saveInterface, { body: values, passingError: true })
      await refreshPerson(true)
      setScheme(values.color_scheme)
      await setLanguage(values.language)
      toast({ text: t('settings.saved'), tone: 'success' })
    },
  })
  return (
    <form method="post" className={formClass} onSubmit={form.submit} noValidate>
      <Select
        name="language"
        label={t('settings.interface.language')}
        value={form.values.language}
        options={languages}
        error={form.errors.language}
        onChange={(value) => form.set('language', value)}
      />
      <Select
        name="color_scheme"
        label={t('settings.interface.scheme')}
        value={form.values.color_scheme}
        options={schemes.map((value) => ({ value, label: t(`settings.interface.scheme_${value}`) }))}
        error={form.errors.color_scheme}
        onChange={(value) => form.set('color_scheme', schemeOf(value))}
      />
      <Select
        name="time_zone"
        label={t('settings.interface.zone')}
        help={t('settings.interface.zone_help')}
        value={form.values.time_zone}
        options={[{ value: '', label: t('settings.interface.zone_here') }, ...zones()]}
        error={form.errors.time_zone}
        onChange={(value) => form.set('time_zone', value)}
      />
      <Submit label={t('settings.save')} busy={form.busy} failure={form.failure} />
    </form>
  )
}
