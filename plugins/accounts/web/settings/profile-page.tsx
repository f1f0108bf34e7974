import { TextArea } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import type { CurrentPerson } from '@stoa/sdk/web'
import { useApi, useLogin, usePageLeave, useSession, useSite, useToast } from '@stoa/sdk/web'
import { useState } from 'react'
import { accountCalls } from '../../shared/api.ts'
import { FormField } from '../parts/form-field.tsx'
import { Submit } from '../parts/submit.tsx'
import { useAccountsText } from '../parts/use-accounts-text.ts'
import { useForm } from '../parts/use-form.ts'
import type { AvatarValue } from './avatar-field.tsx'
import { AvatarField } from './avatar-field.tsx'
import { formClass, SettingsFrame } from './settings-frame.tsx'

const fields = ['display_name', 'username', 'avatar', 'bio', 'website', 'location']

export default function ProfileSettingsPage() {
  const { person } = useLogin()
  return <SettingsFrame page="profile">{person && <ProfileForm key={person.id} person={person} />}</SettingsFrame>
}

function valuesOf(person: CurrentPerson) {
  const text = (name: string) => String(person[name] ?? '')
  const avatar = (typeof person.avatar === 'string' ? { type: 'default', gravatar: '', custom: '' } : person.avatar) as AvatarValue
  return {
    display_name: person.display_name,
    username: person.username,
    avatar,
    bio: text('bio'),
    website: text('website'),
    location: text('location'),
  }
}

function ProfileForm({ person }: { person: CurrentPerson }) {
  const api = useApi()
  const { refreshPerson } = useSession()
  const t = useAccountsText()
  const toast = useToast()
  const site = useSite()
  const allowed = (site.site_users ?? {}) as Record<string, boolean>
  const may = (field: string) => allowed[`allow_update_${field}`] === true
  const form = useForm({
    initial: valuesOf(person),
    send: async (values) => {
      await api.send(accountCalls.saveProfile, { body: values, passingError: true })
      await refreshPerson(true)
      toast({ text: t('settings.saved'), tone: 'success' })
    },
  })
  const [isUploading, setUploading] = useState(false)
  usePageLeave(form.changed || isUploading)
  return (
    <form method="post" className={formClass} onSubmit={form.submit} noValidate>
      {!fields.every(may) && <Notice>{t('settings.profile.some_fixed')}</Notice>}
      {may('display_name') && (
        <FormField
          form={form}
          name="display_name"
          label={t('field.display_name')}
          help={t('field.display_name_help')}
          maxLength={30}
          required
        />
      )}
      {may('username') && (
        <FormField
          form={form}
          name="username"
          label={t('field.username')}
          help={t('field.username_help')}
          autoComplete="username"
          maxLength={30}
          required
        />
      )}
      {may('avatar') && (
        <AvatarField
          name={form.values.display_name}
          value={form.values.avatar}
          error={form.errors.avatar}
          hasService={site.site_users?.default_avatar === 'gravatar'}
          onChange={(value) => form.set('avatar', value)}
          onUploading={setUploading}
        />
      )}
      {may('bio') && (
        <TextArea
          name="bio"
          label={t('field.bio')}
          help={t('field.bio_help')}
          rows={5}
          maxLength={4096}
          value={form.values.bio}
          error={form.errors.bio}
          onChange={(value) => form.set('bio', value)}
        />
      )}
      {may('website') && (
        <FormField form={form} name="website" label={t('field.website')} help={t('field.website_help')} type="url" autoComplete="url" />
      )}
      {may('location') && <FormField form={form} name="location" label={t('field.location')} maxLength={100} />}
      <Submit label={t('settings.save')} busy={form.busy || isUploading} failure={form.failure} />
    </form>
  )
}
