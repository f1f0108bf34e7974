import { Button } from '@stoa/sdk/ui/button'
import { DraftNotice } from '@stoa/sdk/ui/draft-notice'
import { Notice } from '@stoa/sdk/ui/notice'
import { formatDateTime, useApi, useDraft, useLanguage, usePageLeave, useText, useTimeZone, useToast } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { AnswerView } from '../shared/api.ts'
import { answerCalls } from '../shared/api.ts'
import styles from './answers.module.css'
import { TextPlace } from './text-place.tsx'

const SHORTEST = 6
const FIELD = 'answer-content'
const isEmpty = (value: { content: string }): boolean => value.content.trim() === ''

interface AnswerFormProps {
  experienceId: string
  /** Somebody pressed to write: the place for the text gets the focus. */
  isWanted: boolean
  onWritten(answer: AnswerView): void
}

/** A new answer. What is typed is kept as a draft until it is sent or discarded. */
export function AnswerForm({ experienceId, isWanted, onWritten }: AnswerFormProps) {
  const api = useApi()
  const toast = useToast()
  const t = useText('answers')
  const language = useLanguage()
  const zone = useTimeZone()
  const [content, setContent] = useState('')
  const [error, setError] = useState('')
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  const draft = useDraft(`answer:${experienceId}`, { content, experienceId }, isEmpty, (stored) => setContent(stored.content))
  usePageLeave(content.trim() !== '' && !draft.isKept)
  const when = (ms: number) => formatDateTime(Math.floor(ms / 1000), language, zone)

  function write(text: string): void {
    setContent(text)
    setError('')
  }

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
      const { info } = await api.send(answerCalls.create, {
        body: { experience_id: experienceId, content },
        passingError: true,
        ignoreServerError: true,
      })
      draft.clear()
      toast({ text: t('write.done'), tone: 'success' })
      onWritten(info)
    } catch (cause) {
      const { fields, message, shown } = cause as { fields?: Record<string, string>; message: string; shown?: boolean }
      if (fields?.content) refuse(fields.content)
      setFailure(fields?.content || shown ? '' : message)
      setBusy(false)
    }
  }

  return (
    <form method="post" className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <h3>{t('write.title')}</h3>
      <DraftNotice
        draft={draft}
        isChanged={content !== ''}
        onDiscard={() => {
          draft.clear()
          write('')
        }}
      />
      <TextPlace
        id={FIELD}
        label={t('write.label')}
        placeholder={t('write.placeholder')}
        value={content}
        onChange={write}
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
