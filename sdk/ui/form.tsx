import type { ConfigField } from '@stoa/sdk'
import { useText } from '@stoa/sdk/web'
import type { ComponentProps } from 'react'
import { useId, useState } from 'react'
import { Button } from './button.tsx'
import { Checkbox, FieldFrame, RadioGroup, Select, Switch, TextArea, TextField } from './field.tsx'
import styles from './form.module.css'

export type FormValue = Record<string, unknown>

interface SchemaFormProps {
  /** As the protocol sends them, texts included. */
  fields: readonly ConfigField[]
  value: FormValue
  onChange(value: FormValue): void
  /** By field name. */
  errors?: Record<string, string>
  /** A `button` was pressed; the button is busy until it settles. */
  onAction?(field: ConfigField): unknown
  /** Stores a file and gives its address. Without it an `upload` is a field for the address. */
  onUpload?(field: ConfigField, file: File): Promise<string>
  disabled?: boolean
}

/** A form from its description. Not a `<form>` itself: the page has the button and sends. */
export function SchemaForm({ fields, value, onChange, errors = {}, onAction, onUpload, disabled }: SchemaFormProps) {
  const set = (name: string, one: unknown) => onChange({ ...value, [name]: one })
  return (
    <div className={styles.form}>
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={Object.hasOwn(value, field.name) ? value[field.name] : field.value}
          error={errors[field.name]}
          disabled={disabled}
          onChange={(one) => set(field.name, one)}
          onAction={onAction}
          onUpload={onUpload}
        />
      ))}
    </div>
  )
}

interface OneFieldProps extends Pick<SchemaFormProps, 'onAction' | 'onUpload' | 'disabled'> {
  field: ConfigField
  value: unknown
  error?: string
  onChange(value: unknown): void
}

const asText = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

function OneField(props: OneFieldProps) {
  const { field, value, error, disabled, onChange } = props
  const { ui_options: ui = {}, options = [] } = field
  const about = { label: field.title, help: field.description, error, required: field.required, name: field.name, disabled }
  const text = { ...about, value: asText(value), placeholder: ui.placeholder, onChange }
  switch (field.type) {
    case 'textarea':
      return <TextArea {...text} rows={Number(ui.rows) || 4} />
    case 'select':
      return <Select {...text} options={options} />
    case 'timezone':
      return <Select {...text} options={timeZones()} />
    case 'radio':
      return <RadioGroup {...about} options={options} value={asText(value)} onChange={onChange} />
    case 'checkbox':
      return options.length > 0 ? (
        <Choices {...props} />
      ) : (
        <Checkbox {...about} {...labels(field)} checked={Boolean(value)} onChange={onChange} />
      )
    case 'switch':
      return <Switch {...about} {...labels(field)} checked={Boolean(value)} onChange={onChange} />
    case 'legend':
      return (
        <div className={styles.legend}>
          <h2>{field.title}</h2>
          {field.description && <p>{field.description}</p>}
        </div>
      )
    case 'button':
      return <Action {...props} />
    case 'upload':
      return <Upload {...props} />
    case 'tag_selector':
      return <TagList {...props} />
    default:
      return (
        <TextField
          {...text}
          type={field.secret ? 'password' : ((ui.input_type ?? 'text') as ComponentProps<'input'>['type'])}
          autoComplete="off"
        />
      )
  }
}

/** Where a switch has a label of its own, the title becomes part of the help. */
function labels({ title, description, ui_options }: ConfigField): { label: string; help: string | undefined } {
  return { label: ui_options?.label || title, help: description }
}

/** Several of several: the value is a list. */
function Choices({ field, value, error, disabled, onChange }: OneFieldProps) {
  const id = useId()
  const chosen = Array.isArray(value) ? value.map(asText) : []
  return (
    <fieldset className={styles.choices} disabled={disabled} aria-describedby={field.description || error ? id : undefined}>
      <legend>{field.title}</legend>
      {(field.options ?? []).map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={chosen.includes(option.value)}
          onChange={(on) => onChange(on ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))}
        />
      ))}
      {(error ?? field.description) && (
        <p id={id} className={error ? styles.error : styles.help}>
          {error ?? field.description}
        </p>
      )}
    </fieldset>
  )
}

function Action({ field, disabled, onAction }: OneFieldProps) {
  const [busy, setBusy] = useState(false)
  const ui = field.ui_options
  const waiting = busy || ui?.action?.loading?.state === 'pending'
  const press = async () => {
    setBusy(true)
    try {
      await onAction?.(field)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.action}>
      <div>
        <p className={styles.name}>{field.title}</p>
        {field.description && <p className={styles.help}>{field.description}</p>}
      </div>
      <Button busy={waiting} disabled={disabled} variant={ui?.variant === 'danger' ? 'danger' : 'secondary'} onClick={() => void press()}>
        {(waiting && ui?.action?.loading?.text) || ui?.text || field.title}
      </Button>
    </div>
  )
}

function Upload({ field, value, error, disabled, onChange, onUpload }: OneFieldProps) {
  const t = useText('core')
  const [busy, setBusy] = useState(false)
  const address = asText(value)
  if (!onUpload) {
    return (
      <TextField
        label={field.title}
        help={field.description}
        error={error}
        required={field.required}
        type="url"
        value={address}
        disabled={disabled}
        onChange={onChange}
      />
    )
  }
  const choose = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    try {
      onChange(await onUpload(field, file))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FieldFrame label={field.title} help={field.description} error={error} required={field.required}>
      {(wiring) => (
        <div className={styles.upload}>
          {address && <img src={address} alt="" className={styles.picture} />}
          <input
            {...wiring}
            type="file"
            disabled={disabled || busy}
            aria-busy={busy || undefined}
            onChange={(event) => void choose(event.target.files?.[0])}
          />
          {address && (
            <Button variant="quiet" size="small" icon="trash" disabled={disabled} onClick={() => onChange('')}>
              {t('kit.remove', { name: '' })}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

/** Tags as text: one slug after the other, with commas or spaces. The value is a list of objects with `slug_name`. */
function TagList({ field, value, error, disabled, onChange }: OneFieldProps) {
  const t = useText('core')
  const known = Array.isArray(value) ? value : []
  const slugOf = (tag: unknown) =>
    typeof tag === 'object' && tag !== null ? asText((tag as { slug_name?: unknown }).slug_name) : asText(tag)
  const [draft, setDraft] = useState(() => known.map(slugOf).join(', '))
  const change = (text: string) => {
    setDraft(text)
    const slugs = [...new Set(text.split(/[\s,，、]+/).filter(Boolean))]
    onChange(
      slugs.map((slug) => known.find((tag) => typeof tag === 'object' && slugOf(tag) === slug) ?? { slug_name: slug, display_name: slug }),
    )
  }
  return (
    <TextField
      label={field.title}
      help={field.description || t('kit.tags_help')}
      error={error}
      required={field.required}
      disabled={disabled}
      placeholder={field.ui_options?.placeholder}
      value={draft}
      onChange={change}
    />
  )
}

let zones: { value: string; label: string }[] | undefined

function timeZones() {
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }))
  return zones
}
