import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { formatDateTime, useDraft, useKernel, useLanguage, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { AnswerView } from '../shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import styles from './answers.module.css'
import { TextPlace } from './text-place.tsx'

const SHORTEST = 6
const FIELD = 'answer-content'

interface AnswerFormProps {
  experienceId: string
  /** Somebody pressed to write: the place for the text gets the focus. */
  isWanted: boolean
  onWritten(answer: AnswerView): void
}

/** A new answer. What is typed is kept as a draft until it is sent or discarded. */
export function AnswerForm({ experienceId, isWanted, onWritten }: AnswerFormProps) {
  const kernel = useKernel()
  const t = useText('answers')
  const language = useLanguage()
  const zone = kernel.useTimeZone()
  const [content, setContent] = useState('')
  const [error, setError] = useState('')
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  const draft = useDraft(`answer:${experienceId}`, { content, experienceId }, (value) => value.content.trim() === '')
  const when = (ms: number) => formatDateTime(Math.floor(ms / 1000), language, zone)

  /** Says what is wrong with the text, where it can be mended. */
  function refuse(why: string): void {
    setError(why)
    document.getElementById(FIELD)?.focus()
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    if ([...content.trim()].length < SHORTEST) return refuse(t('write.too_short'))
    setBusy(true)
    setError('')
    setFailure('')
    try {
      const { info } = await kernel.api.send(answerCalls.create, {
        body: { experience_id: experienceId, content },
        passingError: true,
        ignoreServerError: true,
      })
      draft.clear()
      kernel.toast({ text: t('write.done'), tone: 'success' })
      onWritten(info)
    } catch (cause) {
      const { fields, message, shown } = cause as { fields?: Record<string, string>; message: string; shown?: boolean }
      if (fields?.content) refuse(fields.content)
      setFailure(fields?.content || shown ? '' : message)
      setBusy(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <h3>{t('write.title')}</h3>
      {draft.stored && content === '' && (
        <Notice
          action={
            <>
              <Button size="small" onClick={() => setContent(draft.stored?.value.content ?? '')}>
                {t('write.restore_action')}
              </Button>
              <Button size="small" variant="quiet" onClick={draft.clear}>
                {t('write.discard')}
              </Button>
            </>
          }
        >
          {t('write.restore', { time: when(draft.stored.savedAt) })}
        </Notice>
      )}
      <TextPlace
        id={FIELD}
        label={t('write.label')}
        placeholder={t('write.placeholder')}
        value={content}
        onChange={setContent}
        error={error}
        autoFocus={isWanted}
      />
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={busy}>
          {t(busy ? 'write.submitting' : 'write.submit')}
        </Button>
        <span className={styles.saved} role="status">
          {draft.savedAt !== undefined && t('write.saved', { time: when(draft.savedAt) })}
        </span>
      </div>
    </form>
  )
}
