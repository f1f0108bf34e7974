import type { BodyOf } from '@stoa/sdk'
import { Checkbox, RadioGroup, TextField } from '@stoa/sdk/ui/field'
import { Section, Stack } from '@stoa/sdk/ui/page'
import { Slot, useText } from '@stoa/sdk/web'
import type { installCalls } from '../shared/api.ts'
import { installSlots } from '../shared/api.ts'

export type SiteForm = Required<Omit<BodyOf<typeof installCalls.finish>, 'lang'>>
export const emptySite: SiteForm = {
  site_name: '',
  site_url: '',
  contact_email: '',
  display_name: '',
  name: '',
  email: '',
  password: '',
  login_required: false,
  time_zone: 'UTC',
  external_content_display: 'always_display',
  plugins: {},
}
type TextName = Exclude<keyof SiteForm, 'login_required' | 'external_content_display' | 'time_zone' | 'plugins'>

/** What the site is called and who its first admin is. */
export function SiteFields({
  value,
  onChange,
  errors,
}: {
  value: SiteForm
  onChange: (value: SiteForm) => void
  errors: Record<string, string>
}) {
  const t = useText('install')
  const field = (
    name: TextName,
    label: string,
    more: { help?: string; type?: string; maxLength?: number; autoComplete?: string; required?: boolean } = {},
  ) => (
    <TextField
      label={label}
      name={name}
      required
      value={value[name]}
      error={errors[name]}
      onChange={(text) => onChange({ ...value, [name]: text })}
      {...more}
    />
  )
  return (
    <>
      {field('site_name', t('site.site_name'), { maxLength: 30 })}
      {field('site_url', t('site.site_url'), { help: t('site.site_url_help'), type: 'url' })}
      {field('contact_email', t('site.contact_email'), { type: 'email', autoComplete: 'email' })}
      <Checkbox
        label={t('site.login_required')}
        help={t('site.login_required_help')}
        checked={value.login_required}
        onChange={(login_required) => onChange({ ...value, login_required })}
      />
      <RadioGroup
        label={t('site.external')}
        value={value.external_content_display}
        onChange={(external_content_display) => onChange({ ...value, external_content_display })}
        options={[
          { value: 'always_display', label: t('site.external_always') },
          { value: 'ask_before_display', label: t('site.external_ask') },
        ]}
      />
      <Slot
        of={installSlots.siteFields}
        props={{ value: value.plugins, errors, onChange: (part) => onChange({ ...value, plugins: { ...value.plugins, ...part } }) }}
      />
      <Section title={t('site.admin')}>
        <Stack gap={5}>
          {field('display_name', t('site.display_name'), {
            help: t('site.display_name_help'),
            maxLength: 30,
            autoComplete: 'name',
            required: false,
          })}
          {field('name', t('site.name'), { help: t('site.name_help'), maxLength: 30, autoComplete: 'username' })}
          {field('email', t('site.email'), { help: t('site.email_help'), type: 'email', autoComplete: 'email' })}
          {field('password', t('site.password'), {
            help: t('site.password_help'),
            type: 'password',
            maxLength: 32,
            autoComplete: 'new-password',
          })}
        </Stack>
      </Section>
    </>
  )
}
