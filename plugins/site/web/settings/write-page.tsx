import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

/** Rules of what members write, its tags and its files. */
export default function WritePage() {
  const api = useApi()
  const t = useText('site')
  const number = (name: string, unit: string): SettingField => ({
    name,
    type: 'number',
    title: t(`write.${name}`),
    description: t('write.size_help'),
    unit,
  })
  const fields: SettingField[] = [
    { name: 'posts', type: 'legend', title: t('write.posts') },
    { name: 'restrict_answer', type: 'switch', title: t('write.restrict_answer'), description: t('write.restrict_answer_help') },
    { name: 'tags', type: 'legend', title: t('write.tags') },
    { name: 'required_tag', type: 'switch', title: t('write.required_tag'), description: t('write.required_tag_help') },
    { name: 'recommend_tags', type: 'tag_selector', title: t('write.recommend_tags'), description: t('write.recommend_tags_help') },
    { name: 'reserved_tags', type: 'tag_selector', title: t('write.reserved_tags'), description: t('write.reserved_tags_help') },
    { name: 'files', type: 'legend', title: t('write.files') },
    number('max_image_size', 'MB'),
    number('max_image_megapixel', t('write.megapixels')),
    {
      name: 'authorized_image_extensions',
      type: 'words',
      title: t('write.authorized_image_extensions'),
      description: t('write.extensions_help'),
    },
    number('max_attachment_size', 'MB'),
    {
      name: 'authorized_attachment_extensions',
      type: 'words',
      title: t('write.authorized_attachment_extensions'),
      description: t('write.attachments_help'),
    },
  ]
  return (
    <SettingsPage
      title={t('write.title')}
      text={t('write.purpose')}
      page="/admin/write"
      load={useCallback(() => api.send(settingsCalls.write.get), [api])}
      save={(body) => api.send(settingsCalls.write.save, { body, passingError: true })}
      fields={() => fields}
    />
  )
}
