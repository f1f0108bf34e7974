import { Button } from '@stoa/sdk/ui/button'
import { TextArea } from '@stoa/sdk/ui/field'
import { usePageLeave, useText } from '@stoa/sdk/web'
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
}

/** One comment being written. Ctrl+Enter sends, Escape leaves while nothing is written. */
export function CommentForm({ start, label, submit, onSend, onCancel }: CommentFormProps) {
  const t = useText('comments')
  const [text, setText] = useState(start)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const length = [...text.trim()].length
  const isChanged = text.trim() !== start.trim()
  usePageLeave(isChanged)

  async function send(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (busy) return
    if (length < SHORTEST) return setError(t('form.too_short'))
    if (length > LONGEST) return setError(t('form.too_long'))
    setBusy(true)
    setError('')
    try {
      await onSend(text.trim())
    } catch (failure) {
      const { fields, message, shown } = failure as { fields?: Record<string, string>; message: string; shown?: boolean }
      setError(fields?.original_text ?? (shown ? '' : message))
      setBusy(false)
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    if (event.key === 'Escape' && !isChanged) onCancel()
  }

  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <TextArea
        label={label}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        rows={3}
        placeholder={t('form.placeholder')}
        help={length > LONGEST - 100 ? t('form.left', { count: LONGEST - length }) : t('form.help')}
        error={error}
        autoFocus
      />
      <div className={styles.buttons}>
        <Button type="submit" size="small" busy={busy}>
          {busy ? t('form.busy') : submit}
        </Button>
        <Button variant="quiet" size="small" onClick={onCancel} disabled={busy}>
          {t('form.cancel')}
        </Button>
      </div>
    </form>
  )
}
