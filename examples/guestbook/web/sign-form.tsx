import { Button } from '@stoa/sdk/ui/button'
import { TextArea } from '@stoa/sdk/ui/field'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import styles from './guestbook.module.css'

export function SignForm({ onSigned }: { onSigned(): Promise<void> }) {
  const t = useText('guestbook')
  const api = useApi()
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)

  async function sign(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError('')
    try {
      await api.post('/answer/api/v1/guestbook', { text })
      setText('')
      await onSigned()
    } catch (failure) {
      // What is no mistake in the field was shown by the request layer already.
      setError((failure as ApiError).fields?.text ?? '')
    } finally {
      setBusy(false)
    }
  }

  return (
    <form method="post" className={styles.form} onSubmit={sign}>
      <TextArea label={t('form.label')} value={text} onChange={setText} error={error} maxLength={500} rows={3} />
      <Button type="submit" variant="primary" busy={busy}>
        {t('form.sign')}
      </Button>
    </form>
  )
}
