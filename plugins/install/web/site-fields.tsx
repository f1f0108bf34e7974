import type { BodyOf } from '@stoa/sdk'
import { Checkbox, RadioGroup, TextField } from '@stoa/sdk/ui/field'
import { Section, Stack } from '@stoa/sdk/ui/page'
import { Slot, useApi, useText } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import { installCalls, installSlots } from '../shared/api.ts'

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
  useProposedUsername(value, onChange)
  const field = (name: TextName, label: string, more: { help?: string; type?: string; maxLength?: number; autoComplete?: string } = {}) => (
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
          {field('display_name', t('site.display_name'), { help: t('site.display_name_help'), maxLength: 30, autoComplete: 'name' })}
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

const PAUSE_MS = 300

/** While nobody has typed a username, the one in the form follows the name. */
function useProposedUsername(value: SiteForm, onChange: (value: SiteForm) => void): void {
  const api = useApi()
  const proposed = useRef(value.name)
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  const name = value.display_name.trim()
  /** A form that was found again has its username: asking anew might come after the site is set up, when nobody answers. */
  const asked = useRef(value.name === '' ? '' : name)
  useEffect(() => {
    if (name === '' || name === asked.current || latest.current.value.name !== proposed.current) return
    let isOver = false
    const timer = setTimeout(async () => {
      asked.current = name
      const reply = await api.send(installCalls.username, { query: { name }, passingError: true }).catch(() => undefined)
      const now = latest.current
      if (!reply || isOver || now.value.name !== proposed.current) return
      proposed.current = reply.username
      now.onChange({ ...now.value, name: reply.username })
    }, PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [api, name])
}
