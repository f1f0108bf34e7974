import type { ConfigField } from '@stoa/sdk'
import { useText } from '@stoa/sdk/web'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { FieldFrame, TextArea, TextField } from './field.tsx'
import type { SettingField } from './setting-field.ts'
import styles from './settings-form.module.css'
import fieldStyles from './text-area.module.css'

const CropDialog = lazy(() => import('./crop-dialog.tsx').then(({ CropDialog: dialog }) => ({ default: dialog })))

type Field<T extends SettingField['type']> = Extract<SettingField, { type: T }>

interface ControlProps<T extends SettingField['type']> {
  field: Field<T>
  value: unknown
  error?: string
  disabled?: boolean
  onChange(value: unknown): void
}

/** A whole number. What is no number yet stays as it was typed, for whoever checks it. */
export function NumberControl({ field, value, error, disabled, onChange }: ControlProps<'number'>) {
  return (
    <FieldFrame label={field.title} help={field.description} error={error} required={field.required}>
      {(wiring) => (
        <span className={styles.number}>
          <input
            {...wiring}
            name={field.name}
            className={fieldStyles.input}
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            value={value === undefined || value === null ? '' : String(value)}
            disabled={disabled}
            onChange={({ target }) => onChange(/^\d+$/.test(target.value.trim()) ? Number(target.value) : target.value)}
          />
          {field.unit && <span className={styles.unit}>{field.unit}</span>}
        </span>
      )}
    </FieldFrame>
  )
}

const wordsOf = (text: string): string[] => [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]
const asList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Keeps what is typed, separators and all, until the list is another one. */
export function WordsControl({ field, value, error, disabled, onChange }: ControlProps<'words'>) {
  const list = asList(value)
  const [draft, setDraft] = useState(list.join('\n'))
  const shown = wordsOf(draft).join('\n') === list.join('\n') ? draft : list.join('\n')
  return (
    <TextArea
      name={field.name}
      label={field.title}
      help={field.description}
      error={error}
      required={field.required}
      placeholder={field.placeholder}
      rows={field.rows ?? 3}
      spellCheck={false}
      autoCapitalize="none"
      disabled={disabled}
      value={shown}
      onChange={(text) => {
        setDraft(text)
        onChange(wordsOf(text))
      }}
    />
  )
}

/** The browser's own choice of colours beside its number. */
export function ColourControl({ field, value, error, disabled, onChange }: ControlProps<'colour'>) {
  const t = useText('core')
  const text = String(value ?? '')
  return (
    <FieldFrame label={field.title} help={field.description} error={error} required={field.required}>
      {(wiring) => (
        <span className={styles.colour}>
          <input
            type="color"
            aria-label={t('kit.settings.pick_colour', { name: field.title })}
            value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#000000'}
            disabled={disabled}
            onChange={({ target }) => onChange(target.value)}
          />
          <input
            {...wiring}
            name={field.name}
            className={fieldStyles.input}
            maxLength={7}
            spellCheck={false}
            autoComplete="off"
            placeholder="#0033ff"
            value={text}
            disabled={disabled}
            onChange={({ target }) => onChange(target.value.trim().toLowerCase())}
          />
        </span>
      )}
    </FieldFrame>
  )
}

/** A secret that is kept: what is typed replaces all of it, also where the mask was not emptied first. */
export function SecretControl({
  field,
  value,
  error,
  disabled,
  onChange,
  kept,
}: Omit<ControlProps<'number'>, 'field'> & { field: ConfigField /** The mask that it came with. */; kept: string }) {
  const t = useText('core')
  const text = String(value ?? '')
  return (
    <TextField
      name={field.name}
      type="password"
      autoComplete="new-password"
      label={field.title}
      help={kept ? `${field.description ?? ''} ${t('kit.settings.secret_kept')}`.trim() : field.description}
      error={error}
      required={field.required}
      disabled={disabled}
      value={text}
      onFocus={({ target }) => kept !== '' && text === kept && target.select()}
      onChange={(typed) => onChange(kept && text === kept && typed.startsWith(kept) ? typed.slice(kept.length) : typed)}
    />
  )
}

/** A picture by its address: chosen, cut where its shape is given, uploaded, shown. */
export function PictureControl({
  field,
  value,
  error,
  disabled,
  onChange,
  onUpload,
}: ControlProps<'picture'> & { onUpload?(field: SettingField, file: File): Promise<string> }) {
  const t = useText('core')
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const address = String(value ?? '')
  useEffect(() => {
    if (address !== '') setFailure('')
  }, [address])

  async function take(file: File) {
    setChosen(undefined)
    setFailure('')
    setBusy(true)
    try {
      onChange(await onUpload?.(field, file))
    } catch (reason) {
      const { msg, message } = reason as { msg?: string; message?: string }
      setFailure(msg || message || t('kit.settings.upload_failed'))
    } finally {
      setBusy(false)
    }
  }
  const about = { name: field.name, label: field.title, help: field.description, error: error || failure, required: field.required }
  if (!onUpload) return <TextField {...about} type="url" value={address} disabled={disabled} onChange={onChange} />
  return (
    <FieldFrame label={field.title} help={field.description} error={error || failure} required={field.required}>
      {({ id, ...described }) => (
        <div className={styles.picture}>
          <span className={styles.stage} data-wide={field.wide || undefined}>
            {address ? <img src={address} alt="" /> : <span>{t('kit.settings.no_picture')}</span>}
          </span>
          <input
            ref={input}
            type="file"
            hidden
            accept={field.accept ?? 'image/png,image/jpeg,image/webp'}
            tabIndex={-1}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              // The same file can be chosen again.
              target.value = ''
              if (!file) return
              setFailure('')
              if (field.aspect === undefined) void take(file)
              else setChosen(file)
            }}
          />
          <Button
            id={id}
            {...described}
            name={field.name}
            icon="upload"
            busy={busy}
            disabled={disabled}
            onClick={() => input.current?.click()}
          >
            {t(address ? 'kit.settings.replace_picture' : 'kit.settings.choose_picture')}
          </Button>
          {address && (
            <Button
              variant="quiet"
              icon="trash"
              disabled={disabled}
              aria-label={t('kit.remove', { name: field.title })}
              onClick={() => onChange('')}
            >
              {t('kit.settings.remove')}
            </Button>
          )}
          {chosen && (
            <Suspense>
              <CropDialog
                picture={chosen}
                aspect={field.aspect}
                maxWidth={field.maxWidth}
                onDone={(part) => void take(part)}
                onCancel={() => setChosen(undefined)}
              />
            </Suspense>
          )}
        </div>
      )}
    </FieldFrame>
  )
}
