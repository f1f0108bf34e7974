import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, usePluginOn, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../site/shared/api.ts'
import { uploadCalls } from '../../uploads/shared/api.ts'

/** Pictures that stand for the site. It is a page of this plugin because it needs both where they are kept and where files are stored. */
export default function BrandingPage() {
  const api = useApi()
  const t = useText('admin')
  const canUpload = usePluginOn('uploads')
  const picture = (name: string, shape: { aspect?: number; maxWidth?: number; wide?: boolean }): SettingField => ({
    name,
    type: 'picture',
    title: t(`branding.${name}`),
    description: t(`branding.${name}_help`),
    ...shape,
  })
  const fields = [
    picture('logo', { wide: true }),
    picture('mobile_logo', { wide: true }),
    picture('square_icon', { aspect: 1, maxWidth: 512 }),
    picture('favicon', { aspect: 1, maxWidth: 128 }),
  ]
  return (
    <SettingsPage
      title={t('branding.title')}
      text={t('branding.purpose')}
      page="/admin/branding"
      load={useCallback(() => api.send(settingsCalls.branding.get), [api])}
      save={(body) => api.send(settingsCalls.branding.save, { body, passingError: true })}
      fields={() => fields}
      onUpload={canUpload ? (_, file) => api.upload(uploadCalls.upload, { source: 'branding' }, file, { passingError: true }) : undefined}
    />
  )
}
