import { Button } from '@stoa/sdk/ui/button'
import { DraftNotice } from '@stoa/sdk/ui/draft-notice'
import type { EditorProps } from '@stoa/sdk/ui/editor-props'
import { TextArea, TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import type { ApiError } from '@stoa/sdk/web'
import { kernelSlots, Slot, useDraft, useNavigate, usePageLeave, useText } from '@stoa/sdk/web'
import type { ReactNode, SyntheticEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import styles from './tags.module.css'

export interface TagValues {
  slug_name: string
  display_name: string
  original_text: string
  /** Of an edit: what was changed and why. */
  edit_summary?: string
  /** Of an edit: version it is made from. It stays with the draft, so that one that is sent late overwrites nothing. */
  base?: number | undefined
}

export interface TagFormProps {
  initial: TagValues
  /** Name of the draft, unique per tag. */
  draft: string
  submitLabel: string
  cancelTo: string
  /** Further fields, above the buttons. */
  extra?: (values: TagValues, set: (part: Partial<TagValues>) => void) => ReactNode
  /** Above the first field, with what is in the form and how to change it. */
  above?: (values: TagValues, set: (part: Partial<TagValues>) => void) => ReactNode
  /** Sends the form. @returns where to go then */
  onSend: (values: TagValues) => Promise<string>
}

/** Name, address and description of a tag. */
export function TagForm({ initial, draft: name, submitLabel, cancelTo, extra, above, onSend }: TagFormProps) {
  const t = useText('tags')
  const navigate = useNavigate()
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const isSame = (now: TagValues) => JSON.stringify(now) === JSON.stringify(initial)
  const draft = useDraft(name, values, isSame, setValues)
  usePageLeave(sentTo === undefined && !isSame(values) && !draft.isKept)
  useEffect(() => {
    if (sentTo !== undefined) void navigate(sentTo, { replace: true })
  }, [sentTo, navigate])

  const set = (part: Partial<TagValues>) => {
    setValues((now) => ({ ...now, ...part }))
    setFailure('')
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in part))))
  }
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure('')
    try {
      const to = await onSend(values)
      draft.clear()
      setSentTo(to)
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
    onChange: (original_text) => set({ original_text }),
    ...(errors.original_text && { error: errors.original_text }),
    help: t('form.text_help'),
    minRows: 8,
    required: true,
  }
  const { minRows, onBlur: _, ...plain } = editor
  return (
    <form method="post" ref={form} className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <DraftNotice
        draft={draft}
        isChanged={!isSame(values)}
        onDiscard={() => {
          draft.clear()
          setValues(initial)
          setErrors({})
        }}
      />
      {above?.(values, set)}
      <TextField
        label={t('form.display_name')}
        help={t('form.display_name_help')}
        name="display_name"
        required
        maxLength={35}
        value={values.display_name}
        onChange={(display_name) => set({ display_name })}
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
        onChange={(slug_name) => set({ slug_name })}
        error={errors.slug_name}
        autoComplete="off"
      />
      <Slot
        of={kernelSlots.editor}
        props={editor}
        waiting={<TextArea {...plain} rows={minRows} awaitsEditor />}
        empty={<TextArea {...plain} rows={minRows} />}
      />
      {extra?.(values, set)}
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
