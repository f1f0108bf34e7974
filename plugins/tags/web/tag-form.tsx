import { Button } from '@stoa/sdk/ui/button'
import type { EditorProps } from '@stoa/sdk/ui/editor-props'
import { TextArea, TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import type { ApiError } from '@stoa/sdk/web'
import { kernelSlots, Slot, useNavigate, usePageLeave, useText } from '@stoa/sdk/web'
import type { SyntheticEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import styles from './tags.module.css'

export interface TagValues {
  slug_name: string
  display_name: string
  original_text: string
}

export interface TagFormProps {
  initial: TagValues
  submitLabel: string
  cancelTo: string
  /** Sends the form. @returns where to go then */
  onSend: (values: TagValues) => Promise<string>
}

/** Name, address and description of a tag. */
export function TagForm({ initial, submitLabel, cancelTo, onSend }: TagFormProps) {
  const t = useText('tags')
  const navigate = useNavigate()
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  usePageLeave(sentTo === undefined && JSON.stringify(values) !== JSON.stringify(initial))
  useEffect(() => {
    if (sentTo !== undefined) void navigate(sentTo, { replace: true })
  }, [sentTo, navigate])

  const set = (name: keyof TagValues) => (value: string) => {
    setValues((now) => ({ ...now, [name]: value }))
    setErrors(({ [name]: _, ...rest }) => rest)
  }
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure('')
    try {
      setSentTo(await onSend(values))
    } catch (error) {
      const { fields = {}, msg } = error as ApiError
      setErrors(fields)
      if (Object.keys(fields).length === 0) setFailure(msg)
      setBusy(false)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    }
  }
  const editor: EditorProps = {
    id: 'tag-text',
    name: 'original_text',
    label: t('form.text'),
    value: values.original_text,
    onChange: set('original_text'),
    ...(errors.original_text && { error: errors.original_text }),
    help: t('form.text_help'),
    minRows: 8,
    required: true,
  }
  const { minRows, onBlur: _, ...plain } = editor
  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <TextField
        label={t('form.display_name')}
        help={t('form.display_name_help')}
        name="display_name"
        required
        maxLength={35}
        value={values.display_name}
        onChange={set('display_name')}
        error={errors.display_name}
        autoComplete="off"
      />
      <TextField
        label={t('form.slug_name')}
        help={t('form.slug_name_help')}
        name="slug_name"
        required
        maxLength={35}
        value={values.slug_name}
        onChange={set('slug_name')}
        error={errors.slug_name}
        autoComplete="off"
      />
      <Slot
        of={kernelSlots.editor}
        props={editor}
        waiting={<TextArea {...plain} rows={minRows} awaitsEditor />}
        empty={<TextArea {...plain} rows={minRows} />}
      />
      {failure && <Notice tone="danger" title={failure} live />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {submitLabel}
        </Button>
        <Button variant="quiet" onClick={() => void navigate(cancelTo)}>
          {t('form.cancel')}
        </Button>
      </div>
    </form>
  )
}
