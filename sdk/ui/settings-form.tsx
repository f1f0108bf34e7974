import type { ConfigField } from '@stoa/sdk'
import type { ApiError } from '@stoa/sdk/web'
import { usePageLeave, useText, useToast } from '@stoa/sdk/web'
import type { ReactNode, SubmitEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { RadioGroup } from './field.tsx'
import type { FormValue } from './form.tsx'
import { SchemaForm } from './form.tsx'
import { SaveBar } from './save-bar.tsx'
import { SettingChanges } from './setting-changes.tsx'
import { ColourControl, NumberControl, PictureControl, SecretControl, WordsControl } from './setting-controls.tsx'
import type { SettingField } from './setting-field.ts'
import styles from './settings-form.module.css'

export type { SettingControl, SettingField } from './setting-field.ts'

interface SettingsFormProps {
  fields: readonly SettingField[]
  /** What is stored. A new object is what was stored meanwhile: the form begins again with it. */
  saved: FormValue
  /** Stores all values. Rejects with an `ApiError`: its fields mark theirs, anything else is said beside the button. */
  onSave(values: FormValue): Promise<unknown>
  /** After each change, such as for a preview. */
  onChange?(values: FormValue): void
  /** Stores a picture and gives its address. Without it pictures are addresses. */
  onUpload?(field: SettingField, file: File): Promise<string>
  /** A `button` of the form was pressed. */
  onAction?(field: ConfigField): unknown
  /** Between fields and the bar. */
  children?: ReactNode
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A form of settings: says what was changed, asks before it is left with changes, and marks what the server refuses. */
export function SettingsForm({ fields, saved, onSave, onChange, onUpload, onAction, children }: SettingsFormProps) {
  const t = useText('core')
  const toast = useToast()
  const form = useRef<HTMLFormElement>(null)
  const [start, setStart] = useState(saved)
  const [values, setValues] = useState(saved)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [refusals, setRefusals] = useState(0)
  const [busy, setBusy] = useState(false)
  if (start !== saved) {
    setStart(saved)
    setValues(saved)
  }
  const shown = fields.filter((field) => field.shownWhen !== false)
  const changed = fields.filter(
    (field) => field.type !== 'legend' && field.type !== 'button' && !same(values[field.name], saved[field.name]),
  )
  usePageLeave(changed.length > 0)

  // Whoever sent the form is led to the first field that was refused, in the order of the page.
  useEffect(() => {
    if (refusals === 0) return
    const first = form.current?.querySelector<HTMLElement>(
      '[aria-invalid]:is(input, select, textarea, button), [aria-invalid] :is(input, button)',
    )
    first?.focus({ preventScroll: true })
    first?.scrollIntoView({ block: 'center' })
  }, [refusals])

  function change(next: FormValue): void {
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => same(next[name], values[name]))))
    setProblem('')
    setValues(next)
    onChange?.(next)
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (busy || changed.length === 0) return
    setErrors({})
    setProblem('')
    const misread = shown.filter((field) => field.type === 'number' && !Number.isSafeInteger(values[field.name]))
    if (misread.length > 0) {
      setErrors(Object.fromEntries(misread.map(({ name }) => [name, t('kit.settings.number')])))
      setRefusals((count) => count + 1)
      return
    }
    setBusy(true)
    try {
      await onSave(values)
      toast({ text: t('kit.settings.saved'), tone: 'success' })
    } catch (error) {
      const { fields: refused = {}, msg, message } = error as ApiError
      setErrors(refused)
      const isMarked = shown.some(({ name }) => refused[name] !== undefined)
      if (isMarked) setRefusals((count) => count + 1)
      else setProblem(Object.values(refused)[0] ?? (msg || message))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form ref={form} method="post" className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {shown.map((field) => (
        <Control
          key={field.name}
          field={field}
          value={values[field.name]}
          kept={values[field.name] === saved[field.name] ? String(saved[field.name] ?? '') : ''}
          error={errors[field.name]}
          disabled={busy}
          onChange={(value) => change({ ...values, [field.name]: value })}
          onUpload={onUpload}
          onAction={onAction}
        />
      ))}
      {children}
      <SaveBar
        changes={changed.length}
        busy={busy}
        error={problem}
        details={<SettingChanges fields={changed} before={saved} after={values} />}
        onDiscard={() => {
          change(saved)
          setErrors({})
        }}
      />
    </form>
  )
}

interface ControlProps extends Pick<SettingsFormProps, 'onUpload' | 'onAction'> {
  field: SettingField
  value: unknown
  kept: string
  error?: string
  disabled: boolean
  onChange(value: unknown): void
}

function Control({ field, kept, onUpload, onAction, ...rest }: ControlProps) {
  const { value, error, disabled, onChange } = rest
  switch (field.type) {
    case 'number':
      return <NumberControl field={field} {...rest} />
    case 'words':
      return <WordsControl field={field} {...rest} />
    case 'colour':
      return <ColourControl field={field} {...rest} />
    case 'picture':
      return <PictureControl field={field} onUpload={onUpload} {...rest} />
    case 'own':
      return <>{field.render({ name: field.name, value, error, disabled, onChange })}</>
    case 'choice':
      return (
        <RadioGroup
          name={field.name}
          label={field.title}
          help={field.description}
          error={error}
          required={field.required}
          disabled={disabled}
          options={field.options.map((option) => ({ ...option, value: String(option.value) }))}
          value={String(value ?? '')}
          onChange={(chosen) => onChange(field.options.find((option) => String(option.value) === chosen)?.value)}
        />
      )
    default:
      if (field.secret) return <SecretControl field={field} kept={kept} {...rest} />
      return (
        <SchemaForm
          fields={[field]}
          value={{ [field.name]: value }}
          errors={error === undefined ? {} : { [field.name]: error }}
          disabled={disabled}
          onChange={(next) => onChange(next[field.name])}
          onAction={onAction}
          onUpload={onUpload}
        />
      )
  }
}
