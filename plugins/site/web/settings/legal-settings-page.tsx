import { TextArea } from '@stoa/sdk/ui/field'
import type { SettingControl } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { kernelSlots, Slot, useApi, useText } from '@stoa/sdk/web'
import { useCallback } from 'react'
import { settingsCalls } from '../../shared/api.ts'

/** Terms, privacy policy, and what happens with pictures of other sites. */
export default function LegalSettingsPage() {
  const api = useApi()
  const t = useText('site')
  const text = (label: string, help: string) => (control: SettingControl) => <MarkdownField {...control} label={label} help={help} />
  return (
    <SettingsPage
      title={t('legal.title')}
      text={t('legal.purpose')}
      page="/admin/legal"
      load={useCallback(() => api.send(settingsCalls.legal.get), [api])}
      save={({ terms_of_service_original_text, privacy_policy_original_text, external_content_display }) =>
        api.send(settingsCalls.legal.save, {
          body: {
            terms_of_service_original_text,
            privacy_policy_original_text,
            external_content_display: external_content_display as 'always_display' | 'ask_before_display',
          },
          passingError: true,
        })
      }
      fields={() => [
        {
          name: 'terms_of_service_original_text',
          type: 'own',
          title: t('legal.tos'),
          render: text(t('legal.tos'), t('legal.tos_help')),
        },
        {
          name: 'privacy_policy_original_text',
          type: 'own',
          title: t('legal.privacy'),
          render: text(t('legal.privacy'), t('legal.privacy_help')),
        },
        {
          name: 'external_content_display',
          type: 'choice',
          title: t('legal.external'),
          options: [
            { value: 'always_display', label: t('legal.always_display'), help: t('legal.always_display_help') },
            { value: 'ask_before_display', label: t('legal.ask_before_display'), help: t('legal.ask_before_display_help') },
          ],
        },
      ]}
    />
  )
}

/** The editor that is on, or a plain field. */
function MarkdownField({ name, value, error, onChange, label, help }: SettingControl & { label: string; help: string }) {
  const about = { id: name, name, label, help, value: String(value ?? ''), onChange, error: error ?? '' }
  const plain = (awaitsEditor: boolean) => <TextArea {...about} rows={10} awaitsEditor={awaitsEditor} />
  return <Slot of={kernelSlots.editor} props={{ ...about, minRows: 10, maxLength: 1_000_000 }} empty={plain(false)} waiting={plain(true)} />
}
