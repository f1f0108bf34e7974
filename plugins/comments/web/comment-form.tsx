import { Button } from '@stoa/sdk/ui/button'
import { DraftNotice } from '@stoa/sdk/ui/draft-notice'
import { TextArea } from '@stoa/sdk/ui/text-area'
import { useDraft, usePageLeave, useText } from '@stoa/sdk/web'
import type { FormEvent, KeyboardEvent } from 'react'
import { useState } from 'react'
import styles from './comments.module.css'

const SHORTEST = 2
const LONGEST = 600

interface CommentFormProps {
  start: string
  label: string
  submit: string
  /** Rejects with an `ApiError`; the text stays then. */
  onSend(text: string): Promise<void>
  onCancel(): void
  /** Name of the draft. */
  draft: string
  /** Default: yes, somebody pressed to write. */
  autoFocus?: boolean
}

/** One comment being written. Escape leaves while nothing is written. */
export function CommentForm({ start, label, submit, onSend, onCancel, draft: name, autoFocus = true }: CommentFormProps) {
  const t = useText('comments')
  const [text, setText] = useState(start)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const length = [...text.trim()].length
  const isChanged = text.trim() !== start.trim()
  const draft = useDraft(name, text, (now) => now.trim() === start.trim(), setText)
  usePageLeave(isChanged && !draft.isKept)

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    if (length < SHORTEST) return setError(t('form.too_short'))
    if (length > LONGEST) return setError(t('form.too_long'))
    setBusy(true)
    setError('')
    try {
      await onSend(text.trim())
      draft.clear()
    } catch (failure) {
      const { fields, message, shown } = failure as { fields?: Record<string, string>; message: string; shown?: boolean }
      setError(fields?.original_text ?? (shown ? '' : message))
      setBusy(false)
    }
  }

  function write(next: string): void {
    setText(next)
    setError('')
  }

  function leave(): void {
    draft.clear()
    onCancel()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !isChanged) leave()
  }

  return (
    <form method="post" className={styles.form} onSubmit={(event) => void send(event)}>
      <DraftNotice draft={draft} isChanged={false} onDiscard={draft.clear} />
      <TextArea
        label={label}
        value={text}
        onChange={write}
        onKeyDown={onKeyDown}
        rows={3}
        placeholder={t('form.placeholder')}
        help={length > LONGEST - 100 ? t('form.left', { count: LONGEST - length }) : t('form.help')}
        error={error}
        autoFocus={autoFocus}
        completes
      />
      <div className={styles.buttons}>
        <Button type="submit" size="small" busy={busy}>
          {busy ? t('form.busy') : submit}
        </Button>
        <Button variant="quiet" size="small" onClick={leave} disabled={busy}>
          {t('form.cancel')}
        </Button>
      </div>
    </form>
  )
}
